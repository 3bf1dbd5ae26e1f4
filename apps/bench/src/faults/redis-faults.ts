import type { RedisServer } from '@solegate/local-services';
import type { BenchStores } from '../running/stores.js';
import { CuttableLink } from './cuttable-link.js';
import type { FaultAct } from './fault-plan.js';

/** A Redis that a scenario can break, reached through a link that it can cut. */
export interface BreakableRedis extends AsyncDisposable {
  readonly url: string;
  readonly faults: Readonly<Record<RedisFault, readonly FaultAct[]>>;
}

export type RedisFault = 'killed' | 'paused' | 'cut off';

const FROM_MS = 1500;
const UNTIL_MS = 3000;

export async function openBreakableRedis(stores: BenchStores, name: string): Promise<BreakableRedis> {
  let server: RedisServer = await stores.startFaultyRedis({ name });
  const { port } = server;
  const link = await CuttableLink.to(server.url);
  const signal = (name: NodeJS.Signals): void => {
    process.kill(server.pid, name);
  };
  return {
    url: link.url,
    faults: {
      killed: [
        { atMs: FROM_MS, text: 'Redis killed', act: () => signal('SIGKILL') },
        {
          atMs: UNTIL_MS,
          text: 'Redis restarted',
          act: async () => {
            await server.exited;
            server = await stores.startFaultyRedis({ name, port });
          },
        },
      ],
      paused: [
        { atMs: FROM_MS, text: 'Redis stopped (SIGSTOP)', act: () => signal('SIGSTOP') },
        { atMs: UNTIL_MS, text: 'Redis continued', act: () => signal('SIGCONT') },
      ],
      'cut off': [
        { atMs: FROM_MS, text: 'link to Redis cut', act: () => link.cut() },
        { atMs: UNTIL_MS, text: 'link mended', act: () => link.mend() },
      ],
    },
    [Symbol.asyncDispose]: async () => {
      await link[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}
