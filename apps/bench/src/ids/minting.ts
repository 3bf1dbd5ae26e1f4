import { fork } from 'node:child_process';
import { processFile } from '../workers/process-file.js';
import type { MintAnswer, MintOrder } from './mint-process.js';

/**
 * Runs one order in a process of its own: what one peer does to the optimiser, to the heap or to `Date` cannot reach the
 * next one.
 */
export function minted(order: MintOrder): Promise<Exclude<MintAnswer, { kind: 'failed' }>> {
  const { file, execArgv } = processFile(new URL('./mint-process.js', import.meta.url));
  const child = fork(file, { serialization: 'advanced', execArgv });
  return new Promise((resolve, reject) => {
    child.once('message', (answer: MintAnswer) => {
      if (answer.kind === 'failed') reject(new Error(`minting failed: ${answer.message}`));
      else resolve(answer);
    });
    child.once('exit', (code, signal) => {
      reject(new Error(`the minting process ended by ${signal ?? `exit code ${code}`}`));
    });
    child.send(order);
  });
}
