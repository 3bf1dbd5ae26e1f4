import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type PgBouncer, startPgBouncer } from '@solegate/testkit';
import { compareWithLedger, DrillTeam } from './drill.js';
import { assertGapless, openOffice, withSeries } from './number-office.js';

/** 100 callers in four processes, through a pooler in transaction mode that is killed while they draw. */
let team: DrillTeam;

beforeAll(() => {
  team = new DrillTeam(4);
});

afterAll(async () => {
  await team[Symbol.asyncDispose]();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test.each([
  { namedStatements: true, keyed: false, counters: 1 },
  { namedStatements: true, keyed: true, counters: 10 },
  { namedStatements: false, keyed: false, counters: 10 },
  { namedStatements: false, keyed: true, counters: 1 },
])(
  'the pooler is killed and restarted: $namedStatements names, $keyed keys, $counters counters',
  async (shape) => {
    const { namedStatements, keyed, counters } = shape;
    let pooler: PgBouncer | undefined;
    await using office = await openOffice({
      redis: true,
      beforeDrop: async () => pooler?.stop(),
      through: async (url) => {
        pooler = await startPgBouncer(url);
        return pooler.url;
      },
    });
    await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
    const result = await team.drill({
      databaseUrl: pooler?.url ?? '',
      redisUrl: office.redisUrl,
      lock: 'crowd',
      namedStatements,
      counters,
      ...(keyed ? { keyPrefix: (process: number) => `p${process}`, repeats: 2 } : {}),
      strike: async () => {
        for (let time = 0; time < 3; time += 1) {
          await pooler?.kill();
          await pause(300);
          await pooler?.restart();
          await pause(700);
        }
      },
    });
    expect(result.failures).toEqual([]);
    expect(result.retried).toBeGreaterThan(0);
    // Two callers of one key get the same number.
    const places = new Map(result.answered.map((one) => [`${one.counterId}/${one.sequence}`, one]));
    expect(result.answered).toHaveLength(places.size * (keyed ? 2 : 1));
    expect(places.size).toBeGreaterThan(500);
    const told = { ...result, answered: [...places.values()] };
    expect(await compareWithLedger(office.database.pool, told)).toEqual({ unanswered: 0 });
    await assertGapless(office.database.pool);
    expect(await office.numbering.reconcile()).toEqual([]);
  },
);
