import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startPostgresServer, startRedisServer, until } from '@solegate/testkit';
import { asRuntimeRole, startTestGateway } from './gateway-fixture.js';

/*
 * What a gateway without callers costs its stores, as they count it: transactions of its database, and commands that Redis
 * receives. What a script of Redis runs is part of its command.
 */

/** Several rounds of everything that an idle gateway repeats, except what it does once a minute. */
const MEASURED_MS = 20_000;
/** A session of PostgreSQL may add what it did to the statistics as late as ten seconds after it. */
const SETTLED_MS = 12_000;
const PER_SECOND_MAX = 2;

test('an idle gateway runs at most two transactions and two Redis commands a second', async () => {
  const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  // Its transactions would count as the gateway's: after a migration they are dozens at once.
  await postgres.pool.query('ALTER SYSTEM SET autovacuum = off');
  await postgres.pool.query('SELECT pg_reload_conf()');
  const databaseUrl = await asRuntimeRole(postgres.url);
  const gateway = await startTestGateway({ databaseUrl, redisUrl: redis.url });
  const monitor = await redis.client().monitor();
  let commands = 0;
  monitor.on('monitor', (_time: string, _args: string[], source: string) => {
    if (source !== 'lua') commands += 1;
  });

  async function counts(): Promise<{ atMs: number; transactions: number; commands: number }> {
    const { rows } = await postgres.pool.query<{ count: string }>(
      'SELECT sum(xact_commit + xact_rollback) AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return { atMs: performance.now(), transactions: Number(rows[0]?.count), commands };
  }

  /** What happens in a second; the question itself is one transaction. */
  async function rates(forMs: number): Promise<{ transactions: number; commands: number }> {
    const before = await counts();
    await pause(forMs);
    const after = await counts();
    const seconds = (after.atMs - before.atMs) / 1_000;
    return {
      transactions: (after.transactions - before.transactions - 1) / seconds,
      commands: (after.commands - before.commands) / seconds,
    };
  }

  // For some seconds after its start, its relay looks as often as if there were callers.
  await until(async () => (await rates(SETTLED_MS)).transactions <= PER_SECOND_MAX, { timeoutMs: 90_000 });
  const idle = await rates(MEASURED_MS);
  process.stdout.write(
    `idle: ${idle.transactions.toFixed(2)} transactions and ${idle.commands.toFixed(2)} Redis commands a second\n`,
  );
  expect(idle.transactions).toBeLessThanOrEqual(PER_SECOND_MAX);
  expect(idle.commands).toBeLessThanOrEqual(PER_SECOND_MAX);

  monitor.disconnect();
  await gateway.stop();
  await Promise.all([postgres.stop(), redis.stop()]);
});
