import { type ChildProcess, fork } from 'node:child_process';
import { sharedNowMs } from '../measuring/shared-clock.js';
import type { FleetOrder } from './fleet-member.js';
import type { MintAnswer, MintOrder, MintStart } from './mint-process.js';

type Settled = Exclude<MintAnswer, { kind: 'failed' } | { kind: 'ready' }>;

/**
 * Runs one order in a separate process, so that a peer's effects on the optimizer, the heap or `Date` cannot reach the
 * next one.
 */
export async function minted(order: Exclude<MintOrder, FleetOrder>): Promise<Settled> {
  const answer = await answerOf(ordered(order));
  if (answer.kind === 'ready') throw new Error('only a fleet waits for its start');
  return answer;
}

/** Time for the start message to reach every process. */
const START_DELAY_MS = 20;

/** Runs each order in its own process; all have their node before the first one mints. */
export async function mintedTogether(orders: readonly FleetOrder[]): Promise<Settled[]> {
  const children = orders.map(ordered);
  await Promise.all(children.map(answerOf));
  const answers = children.map(answerOf);
  const start: MintStart = { kind: 'start', atMs: sharedNowMs() + START_DELAY_MS };
  for (const child of children) child.send(start);
  return (await Promise.all(answers)).flatMap((answer) => (answer.kind === 'ready' ? [] : [answer]));
}

function ordered(order: MintOrder): ChildProcess {
  const child = fork(new URL('./mint-process.js', import.meta.url), { serialization: 'advanced' });
  child.send(order);
  return child;
}

function answerOf(child: ChildProcess): Promise<Exclude<MintAnswer, { kind: 'failed' }>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
      reject(new Error(`the minting process ended by ${signal ?? `exit code ${code}`}`));
    child.once('exit', ended);
    child.once('message', (answer: MintAnswer) => {
      child.off('exit', ended);
      if (answer.kind === 'failed') reject(new Error(`minting failed: ${answer.message}`));
      else resolve(answer);
    });
  });
}
