import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RedisConnection } from '@solegate/redis-infra';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { migrations } from '../../src/index.js';
import { CASES, type Stage } from './cases.js';
import { OriginalFlow } from './original-flow.js';
import { OurFlow, type Weakening } from './our-flow.js';

let redis: RedisTestServer;
let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  redis = await startRedisServer({ persistence: 'none' });
  database = await createTestDatabase({ migrations });
  stage = stageOf(database);
});

afterAll(async () => {
  await database.drop();
  await redis.stop();
});

function stageOf({ url }: TestDatabase): Stage {
  return {
    redisUrl: redis.url,
    databaseUrl: url,
    loseRedisData: async () => {
      await redis.kill();
      await redis.restart({ keepData: false });
    },
  };
}

describe('every interleaving', () => {
  test.each(Object.entries(CASES))('holds: %s', async (_name, play) => {
    await using flow = new OurFlow(database, redis.url);
    expect(await play(flow, stage)).toEqual([]);
  });
});

test('SET NX and an UPDATE, the control, break in at least ten of them', async () => {
  await using flow = await OriginalFlow.open(database, redis.url);
  const broken: string[] = [];
  for (const [name, play] of Object.entries(CASES)) {
    const violations = await play(flow, stage);
    if (violations.length > 0) broken.push(name);
  }
  expect(broken.length).toBeGreaterThanOrEqual(10);
});

/** Changes the call of the gate's script; the arguments are those of EVALSHA. */
function weakenScript(
  change: (call: (args: unknown[]) => Promise<unknown>, args: unknown[]) => Promise<unknown>,
) {
  return (connection: RedisConnection) => {
    for (const command of ['evalsha', 'eval'] as const) {
      const original = (connection[command] as (...args: unknown[]) => Promise<unknown>).bind(connection);
      const call = (args: unknown[]) => original(...args);
      Object.assign(connection, { [command]: (...args: unknown[]) => change(call, args) });
    }
  };
}

/** A busy machine must not look like a Redis outage, or the gate under test would be skipped. */
const patient = { timeoutMs: 1000 };

/** Each guard, removed alone, and a case that then fails. */
const GUARDS: Readonly<Record<string, { weakening: Weakening; schema?: string; breaks: string }>> = {
  'the status in the deciding statement': {
    weakening: { rewrite: (text) => text.replace(`t.status = w.status\n      AND t.epoch`, 't.epoch') },
    breaks: 'F8',
  },
  'the epoch in the deciding statement': {
    weakening: { rewrite: (text) => text.replace('AND t.epoch = w.epoch', '') },
    breaks: 'F10',
  },
  'the one active trip of a driver': {
    weakening: {},
    schema: 'ALTER TABLE driver_active DROP CONSTRAINT driver_active_pkey',
    breaks: 'F6b',
  },
  'the read-back of a repeat': {
    weakening: {
      rewrite: (text) =>
        text.replace('t.revision, t.driver_id, t.accepted_at', 't.revision, 0 AS driver_id, t.accepted_at'),
    },
    breaks: 'E11',
  },
  'the gate that knows its driver': {
    weakening: {
      ...patient,
      weakenRedis: weakenScript(async (call, args) => {
        const reply = await call(args);
        if (!Array.isArray(reply)) return reply;
        return [String(reply[0]).replace(/^\d+:/, '0:'), ...reply.slice(1)];
      }),
    },
    breaks: 'F7',
  },
  'the short life of a hold': {
    weakening: {
      ...patient,
      weakenRedis: weakenScript((call, [script, keyCount, key, hold, , ...rest]) =>
        call([script, keyCount, key, hold, 10_000, ...rest]),
      ),
    },
    breaks: 'F5',
  },
  'the time limit of the gate': {
    weakening: { timeoutMs: 30_000 },
    breaks: 'E9',
  },
};

describe('without a guard a case breaks', () => {
  test.each(Object.entries(GUARDS))('%s', async (_name, { weakening, schema, breaks }) => {
    await using weakened = await createTestDatabase({ migrations });
    if (schema) await weakened.pool.query(schema);
    const play = Object.entries(CASES).find(([name]) => name.startsWith(`${breaks} `))?.[1];
    if (!play) throw new Error(`there is no case ${breaks}`);
    await using flow = new OurFlow(weakened, redis.url, weakening);
    expect(await play(flow, stageOf(weakened))).not.toEqual([]);
  });
});
