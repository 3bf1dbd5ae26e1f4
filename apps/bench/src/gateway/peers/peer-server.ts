import { Child } from '../../workers/child.js';
import type * as PeerServers from './peer-servers.js';

export interface PeerServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number | undefined;
}

/** Starts a server to compare with, in its own process; graphql-js checks more in development, where a demo gateway runs. */
export async function startPeerServer(order: PeerServers.PeerServerOrder): Promise<PeerServer> {
  const { PATH, HOME } = process.env;
  const isProduction = 'production' in order && order.production !== undefined;
  const child = new Child<typeof PeerServers>(new URL('./peer-servers.js', import.meta.url), {
    env: { PATH, HOME, NODE_ENV: isProduction ? 'production' : 'development' },
  });
  const stop = () => child[Symbol.asyncDispose]();
  try {
    return { url: await child.call('serve', order), pid: child.pid, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
