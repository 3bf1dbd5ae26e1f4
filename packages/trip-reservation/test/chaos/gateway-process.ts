import { createInterface } from 'node:readline';
import { openControlFlow } from './control-flow.js';
import type { ChaosFlowName, ChaosRequest, ChaosStores } from './protocol.js';
import { openSolegateFlow } from './solegate-flow.js';

const FLOWS = { solegate: openSolegateFlow, control: openControlFlow };

const [name = 'solegate', stores = '{}'] = process.argv.slice(2);
const flow = FLOWS[name as ChaosFlowName](JSON.parse(stores) as ChaosStores);

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const request = JSON.parse(line) as ChaosRequest;
    const told = await flow.handle(request).catch(() => 'ERROR');
    say({ id: request.id, told });
  })
  .on('close', () => process.exit(0));

say({ id: 0, told: 'READY' });
