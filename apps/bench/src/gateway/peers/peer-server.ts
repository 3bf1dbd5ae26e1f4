import { fork } from 'node:child_process';
import { once } from 'node:events';
import { serverEnvironment } from '../../running/server-environment.js';
import type { PeerServerAnswer, PeerServerOrder } from './peer-server-process.js';

export interface PeerServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number | undefined;
}

/** Starts a server to compare with; it ends with this process. */
export async function startPeerServer(order: PeerServerOrder): Promise<PeerServer> {
  const file = new URL('./peer-server-process.js', import.meta.url);
  const child = fork(file, { env: serverEnvironment({ NODE_ENV: 'production' }) });
  child.send(order);
  const [answer] = (await once(child, 'message')) as [PeerServerAnswer];
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  };
  if (answer.kind === 'failed') {
    await stop();
    throw new Error(`${order.kind} did not start: ${answer.message}`);
  }
  return { url: answer.url, pid: child.pid, [Symbol.asyncDispose]: stop };
}
