import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  GatewayProcess,
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { WebSocket } from 'ws';
import { type Client, createClient, SolegateError } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

/**
 * 10,000 numbers of 100 counters and 2,000 trips in two cells, followed over WebSocket and server-sent events. Gateways are
 * killed 50 times, readers 50 times, and the stores twice: with the cursor that each reader stored, each fact once and in order.
 */
const BATCHES = 500;
const BATCH = 20;
const DISCIPLINES = 50;
const TRIPS = 2000;
const KILLS = 50;
const CALLERS = 8;
const PLACES = [
  { projectCode: 'DEMO', region: 'here' },
  { projectCode: 'OTHER', region: 'other' },
];

let servers: PostgresTestServer[];
let redis: RedisTestServer;
let gateways: GatewayProcess[];
let turn = 0;

beforeAll(async () => {
  [servers, redis] = await Promise.all([
    Promise.all([startPostgresServer(), startPostgresServer()]),
    startRedisServer(),
  ]);
  const cells = servers.map(({ url }, index) => ({
    name: `cell-${index}`,
    url,
    nodes: [index * 512, index * 512 + 511],
  }));
  const places = { projects: { OTHER: 'cell-1' }, regions: { here: 'cell-0', other: 'cell-1' } };
  const environment = {
    NODE_ENV: 'development',
    AUTH_MODE: 'demo',
    DATABASE_URL: JSON.stringify({ cells, ...places }),
    REDIS_URL: redis.url,
    NODE_LEASE_WINDOW_MS: '3000',
    RATE_LIMIT_PER_SECOND: '0',
  };
  gateways = [0, 1].map(() => new GatewayProcess({ environment }));
  for (const gateway of gateways) await gateway.start();
});

afterAll(async () => {
  for (const gateway of gateways ?? []) await gateway.end();
  await Promise.all([...(servers ?? []), ...(redis ? [redis] : [])].map((server) => server.stop()));
});

/** The next gateway, as a balancer without health checks would choose. */
function nextUrl(): string {
  turn += 1;
  return gateways[turn % gateways.length]?.url ?? '';
}

function connect(demoUser: string, overSockets = false): Client {
  const sockets = () => webSockets({ url: nextUrl().replace('http', 'ws'), implementation: WebSocket });
  return createClient({
    url: 'http://balancer/graphql',
    headers: { 'x-demo-user': demoUser },
    fetch: (_url, init) => fetch(nextUrl(), init),
    retry: { baseMs: 20, maxMs: 300 },
    timeoutMs: 20_000,
    ...(overSockets && { webSocket: sockets() }),
  });
}

/** Repeats a call until it has an outcome: what it does has a key, or is done once. */
async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isWorthIt = error instanceof SolegateError && (error.retryable || error.outcomeUnknown);
      if (!isWorthIt) throw error;
      await pause(100);
    }
  }
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

const disciplineOf = (index: number): string => `F${index % DISCIPLINES}`;
const placeOf = (index: number) => PLACES[index % 2] ?? { projectCode: '', region: '' };

async function prepare(admin: Client): Promise<void> {
  await admin.createProject({ input: { code: 'OTHER', name: 'In the other cell' } });
  const template = '{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}';
  for (let index = 0; index < DISCIPLINES; index += 1)
    await admin.createDiscipline({ input: { code: disciplineOf(index), name: `Discipline ${index}` } });
  const input = { projectCode: 'OTHER', typeCode: 'RFA', template };
  await admin.saveDocumentNumberFormat({ input });
}

async function load(clerk: Client, rider: Client, admin: Client): Promise<{ readonly voidCount: number }> {
  let voidCount = 0;
  await Promise.all([
    inParallel(BATCHES, async (index) => {
      const { projectCode } = placeOf(index);
      const disciplineCode = disciplineOf(Math.floor(index / 2));
      const input = { projectCode, organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode, count: BATCH };
      const key = { idempotencyKey: `batch-${index}` };
      const issued = await insist(() => clerk.issueDocumentNumbers({ input }, key));
      if (issued.__typename !== 'DocumentNumbersIssued') throw new Error(issued.__typename);
      const number = issued.documentNumbers[0]?.number ?? '';
      if (index % 5 !== 0) return;
      await insist(() => admin.voidDocumentNumber({ input: { projectCode, number, reason: 'a drill' } }));
      voidCount += 1;
    }),
    inParallel(TRIPS, async (index) => {
      const { region } = placeOf(index);
      const key = { idempotencyKey: `trip-${index}` };
      const { id: tripId } = await insist(() => rider.requestTrip({ input: { region } }, key));
      await insist(() => rider.cancelTrip({ input: { tripId, as: 'RIDER' } }));
    }),
  ]);
  return { voidCount };
}

interface Batch {
  readonly cursor: string;
  readonly facts: readonly { readonly name: string; readonly of: string; readonly place: number }[];
}

/** A reader that keeps nothing but what it has stored: facts and cursor together. */
class Reader {
  readonly facts: Batch['facts'][number][] = [];
  after: string | undefined;
  #client: Client | undefined;
  #reading: Promise<void> | undefined;
  #isOver = false;

  constructor(
    readonly name: string,
    private readonly overSockets: boolean,
    private readonly open: (client: Client, after: string | undefined) => AsyncIterable<Batch>,
  ) {}

  start(): void {
    const client = connect('admin-1', this.overSockets);
    this.#client = client;
    this.#reading = (async () => {
      for await (const { facts, cursor } of this.open(client, this.after)) {
        if (this.#client !== client) return;
        this.facts.push(...facts);
        this.after = cursor;
      }
    })().catch((error: unknown) => {
      if (!this.#isOver && this.#client === client) throw error;
    });
  }

  /** What it has in hand is lost. */
  async kill(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
    await this.#reading;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}

async function* numbersOf(
  client: Client,
  projectCode: string,
  after: string | undefined,
): AsyncGenerator<Batch> {
  for await (const batch of client.documentNumberFacts({ projectCode, typeCode: 'RFA', after })) {
    yield {
      cursor: batch.cursor,
      facts: batch.facts.map(({ kind, number }) => ({
        name: `${kind} ${number.number}`,
        of: `${kind === 'VOIDED' ? 'voided' : number.disciplineCode}`,
        place: kind === 'VOIDED' ? 0 : number.sequence,
      })),
    };
  }
}

async function* tripsOf(client: Client, region: string, after: string | undefined): AsyncGenerator<Batch> {
  for await (const { cursor, events } of client.tripEvents({ region, after })) {
    const facts = events.map(({ id, tripId, revision }) => ({ name: id, of: tripId, place: revision }));
    yield { cursor, facts };
  }
}

/** Each fact once, and those of a counter or trip as 1, 2, 3 … */
function judge({ name, facts }: Reader): number {
  const names = new Set(facts.map((fact) => fact.name));
  expect(`${name}: ${names.size}`).toBe(`${name}: ${facts.length}`);
  const last = new Map<string, number>();
  for (const { of, place, name: fact } of facts) {
    if (place === 0) continue;
    expect(`${fact} at ${place}`).toBe(`${fact} at ${(last.get(of) ?? 0) + 1}`);
    last.set(of, place);
  }
  return facts.length;
}

test('each fact once and in order, over WebSocket and server-sent events, while everything is killed', async () => {
  const [admin, clerk, rider] = [connect('admin-1'), connect('clerk-1'), connect('rider-1')];
  await prepare(admin);
  const readers = [false, true].flatMap((overSockets) =>
    PLACES.flatMap(({ projectCode, region }) => {
      const way = overSockets ? 'WebSocket' : 'events';
      return [
        new Reader(`${projectCode}, ${way}`, overSockets, (client, after) =>
          numbersOf(client, projectCode, after),
        ),
        new Reader(`${region}, ${way}`, overSockets, (client, after) => tripsOf(client, region, after)),
      ];
    }),
  );
  for (const reader of readers) reader.start();
  const loading = load(clerk, rider, admin);
  let isOver = false;
  const killGateways = async () => {
    for (let count = 0; count < KILLS; count += 1) {
      const gateway = gateways[count % gateways.length];
      await pause(500);
      await gateway?.end('SIGKILL');
      await gateway?.start();
    }
  };
  const killReaders = async () => {
    for (let count = 0; count < KILLS || !isOver; count += 1) {
      await pause(400);
      const reader = readers[count % readers.length];
      await reader?.kill();
      reader?.start();
    }
  };
  const killStores = async () => {
    for (const server of servers) {
      await pause(20_000);
      await server.kill();
      await server.restart();
      await pause(10_000);
      await redis.kill();
      await redis.restart();
    }
  };
  const killing = Promise.all([killGateways(), killStores()]).finally(() => {
    isOver = true;
  });
  const [{ voidCount }] = await Promise.all([loading, killing, killReaders()]);
  const wanted = 2 * (BATCHES * BATCH + voidCount + 2 * TRIPS);
  const count = () => readers.reduce((sum, { facts }) => sum + facts.length, 0);
  await until(() => count() >= wanted, { timeoutMs: 120_000, intervalMs: 100 }).catch(() => undefined);
  await pause(2000);
  for (const reader of readers) await reader.end();
  const total = readers.reduce((sum, reader) => sum + judge(reader), 0);
  process.stdout.write(`${total} facts for ${readers.length} readers, of ${wanted}\n`);
  expect(total).toBe(wanted);
  for (const client of [admin, clerk, rider]) await client.close();
  // Fifty starts of a gateway on a busy machine.
}, 2_400_000);
