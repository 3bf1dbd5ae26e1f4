import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Dice } from '@solegate/testkit';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { OperationFuzzer } from './operation-fuzzer.js';

/*
 * Whatever is asked, no answer is a fault of the gateway: none has an incident, and none is a 5xx that stays one.
 * SOLEGATE_FUZZ_COUNT sets how many operations are made, and SOLEGATE_FUZZ_SEED which.
 */
const OPERATION_COUNT = Number(process.env.SOLEGATE_FUZZ_COUNT ?? 4_000);
const SEED = Number(process.env.SOLEGATE_FUZZ_SEED ?? 33);
const CALLER_COUNT = 8;
/** How long a failure that says it can be retried is: longer than node IDs are withheld once a busy machine lost its lease. */
const REPEATED_MAX_MS = 180_000;

const gateway = gatewayOfFile({ RATE_LIMIT_PER_SECOND: '0' });

interface Reply {
  readonly status: number;
  readonly body: Json;
}

async function post(body: string): Promise<Reply> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body,
  });
  return { status: response.status, body: await response.json() };
}

async function settled(body: string): Promise<Reply> {
  let reply = await post(body);
  const endsAtMs = performance.now() + REPEATED_MAX_MS;
  while (reply.status >= 500 && performance.now() < endsAtMs) {
    const [error] = reply.body.errors ?? [];
    if (error?.extensions?.retryable !== true) return reply;
    await pause(error.extensions.retryAfterMs ?? 500);
    reply = await post(body);
  }
  return reply;
}

test(`${OPERATION_COUNT} operations made from the schema get no fault for an answer`, async () => {
  const fuzzer = new OperationFuzzer(buildGatewaySchema(), new Dice(SEED));
  const faults: unknown[] = [];
  const counts = new Map<string, number>();
  let sentCount = 0;
  const call = async () => {
    while (sentCount < OPERATION_COUNT && faults.length < 10) {
      sentCount += 1;
      const sent = fuzzer.next();
      const { status, body } = await settled(sent);
      fuzzer.hear(body.data);
      const kind = body.errors === undefined ? 'served' : String(status);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (status >= 500 || JSON.stringify(body).includes('"incidentId"')) {
        faults.push({ status, errors: body.errors, sent: sent.slice(0, 2_000) });
      }
    }
  };
  await Promise.all(Array.from({ length: CALLER_COUNT }, call));
  process.stdout.write(`fuzzed: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  expect(faults).toEqual([]);
  // Else too much was refused for its form to prove anything.
  expect(counts.get('served') ?? 0).toBeGreaterThan(OPERATION_COUNT / 10);
  expect((await gateway.ask('{ projects { edges { node { code } } } }')).errors).toEqual([]);
}, 3_600_000);
