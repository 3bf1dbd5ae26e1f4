import { createInterface } from 'node:readline';
import { connectRedis } from '@solegate/redis-infra';
import pg from 'pg';
import { explain } from '../../src/index.js';
import { postgresLeaseStore } from '../../src/node-lease/postgres/index.js';
import { type Fleet, type FleetProcess, ONE_NODE, startWhenFree, windowFleet } from './fleet.js';
import { MintLog, toRuns } from './mint-log.js';
import { originalFleet } from './original-fleet.js';

/*
 * A member of a fleet as an operating system process, so that signals can stop and kill it. Arguments: `window`,
 * `postgres` or `original`, the URL of the store. Prints {atMs}, the time of an ID, when it has its node. On {mintMs}
 * it mints for that long and prints the runs of IDs; on {release: true} it releases its node and exits.
 */
const [kind, url = ''] = process.argv.slice(2);
const log = new MintLog();
const name = `process ${process.pid}`;
const settings = { layout: ONE_NODE, automatic: true };
const fleet = fleetOf();
const minter = await startWhenFree(fleet, name);
say({ atMs: explain(minter.generator.next(), ONE_NODE).timeMs });

function fleetOf(): Fleet {
  if (kind === 'postgres') {
    return windowFleet(log, postgresLeaseStore(new pg.Pool({ connectionString: url })), settings);
  }
  const redis = connectRedis({ url, purpose: 'background' });
  return kind === 'window' ? windowFleet(log, redis, settings) : originalFleet(log, redis, ONE_NODE);
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function obey(order: { readonly mintMs?: number; readonly release?: boolean }, minter: FleetProcess) {
  if (order.mintMs !== undefined) {
    const own = new MintLog();
    const batch = new BigUint64Array(2_000);
    let refusedCount = 0;
    for (const endMs = performance.now() + order.mintMs; performance.now() < endMs; ) {
      try {
        own.add(name, minter.generator.fill(batch.slice()));
      } catch {
        refusedCount++;
      }
      await new Promise(setImmediate);
    }
    say({ runs: toRuns(own.all(name)), refusedCount });
  }
  if (order.release) {
    await minter.release();
    process.exit(0);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void obey(JSON.parse(line), minter));
