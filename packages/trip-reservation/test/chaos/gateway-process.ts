import { createInterface } from 'node:readline';
import { openControlFlow } from './flows/control.js';
import { openSolegateFlow } from './flows/solegate.js';
import { openUnguardedFlow } from './flows/unguarded.js';
import type { ChaosFlow, ChaosFlowName, ChaosRequest, ChaosStores } from './protocol.js';

const FLOWS: Readonly<Record<ChaosFlowName, (stores: ChaosStores) => ChaosFlow>> = {
  solegate: (stores) => openSolegateFlow(stores),
  unguarded: openUnguardedFlow,
  control: openControlFlow,
};

const [name = 'solegate', stores = '{}'] = process.argv.slice(2);
const flow = FLOWS[name as ChaosFlowName](JSON.parse(stores) as ChaosStores);

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function answer({ id, ...question }: ChaosRequest): Promise<void> {
  say({ id, answered: await flow.handle({ id, ...question }).catch(() => 'ERROR') });
}

createInterface({ input: process.stdin })
  .on('line', (line) => void answer(JSON.parse(line)))
  .on('close', () => process.exit(0));

say({ id: 0, answered: 'READY' });
