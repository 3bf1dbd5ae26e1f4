import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { forkTypeScript, type TypeScriptChild } from '@solegate/testkit';
import { freshIds, Stores } from '../stores.js';
import type { Burst, BurstReport } from './accepting-process.js';

let stores: Stores;
let fleet: TypeScriptChild[];

beforeAll(async () => {
  stores = await Stores.open();
  const file = new URL('./accepting-process.ts', import.meta.url);
  fleet = Array.from({ length: 4 }, () =>
    forkTypeScript(file, [stores.database.directUrl, stores.redis.url]),
  );
  await Promise.all(fleet.map((child) => child.nextLine()));
});

afterAll(async () => {
  await Promise.all(fleet.map((child) => child.kill()));
  await stores[Symbol.asyncDispose]();
});

/** Spreads the drivers over the processes; resolves with the answers for each trip. */
async function compete(tripIds: readonly bigint[], driversPerTrip: number) {
  const calls = tripIds.flatMap((tripId) =>
    freshIds(driversPerTrip).map((driverId) => ({ tripId: String(tripId), driverId: String(driverId) })),
  );
  const reports = await Promise.all(
    fleet.map(async (child, index) => {
      const burst: Burst = { calls: calls.filter((_, place) => place % fleet.length === index) };
      child.send(burst);
      return { burst, report: (await child.nextLine()) as BurstReport };
    }),
  );
  const winsByTrip = new Map<string, number>();
  const answered: string[] = [];
  for (const { burst, report } of reports) {
    for (const [place, { tripId }] of burst.calls.entries()) {
      const kind = report.answered[place] ?? 'NOTHING';
      answered.push(kind);
      if (kind === 'ACCEPTED') winsByTrip.set(tripId, (winsByTrip.get(tripId) ?? 0) + 1);
    }
  }
  return { answered, winsByTrip, statements: reports.flatMap(({ report }) => report.statementNames) };
}

test.each([100, 1000])(
  'one of %i drivers in four processes wins, and only that one reaches PostgreSQL',
  async (count) => {
    const { id: tripId } = await stores.openTrip();
    const { answered, winsByTrip, statements } = await compete([tripId], count);
    expect([...winsByTrip.values()]).toEqual([1]);
    expect(answered.filter((kind) => kind === 'TAKEN')).toHaveLength(count - 1);
    // The namespace is read once. On a slow machine drivers are answered UNDECIDED, for which the row is read.
    const others = new Set(['solegate_read_namespace', 'solegate_read_standing', 'solegate_remind_trips']);
    expect(statements.filter((name) => !others.has(name))).toEqual(['solegate_decide_trips']);
  },
);

test('a thousand trips with twenty drivers each, in four processes, have one winner each', async () => {
  const tripIds = freshIds(1000);
  await stores.database.pool.query(
    `INSERT INTO trips (id, rider_id, status, epoch, revision, offer_ttl_ms, offer_rounds_left, offer_expires_at,
                        requested_at)
     SELECT id, id, 'FINDING', 1, 1, 60000, 1, now() + interval '1 minute', now() FROM unnest($1::bigint[]) AS id`,
    [tripIds.map(String)],
  );
  const { answered, winsByTrip, statements } = await compete(tripIds, 20);
  expect(winsByTrip.size).toBe(1000);
  expect(new Set(winsByTrip.values())).toEqual(new Set([1]));
  expect(answered.filter((kind) => kind === 'TAKEN')).toHaveLength(19_000);
  expect(statements.length).toBeLessThanOrEqual(500);
});
