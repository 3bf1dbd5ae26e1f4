import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import WebSocket from 'ws';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** What a subscription keeps of its request until it ends, and what of that counts as held. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

const SHORT = 'subscription { documentNumberIssued { number } }';
const FIELDS =
  'number status sequence period date typeCode reason organizationCode disciplineCode actorId commitId guard id ' +
  'expiresAt formatVersion idempotencyKey issuedAt replacedBy retryCount voidReason voidedAt voidedById waitedMs ';
/** About 920 tokens. */
const longDocument = (name: string): string =>
  `subscription ${name} { documentNumberIssued { ${FIELDS.repeat(40)} } }`;

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^solegate_gateway_held_bytes (\d+)$/m.exec(text)?.[1]);
}

/** Event streams, with whatever refuses one. */
class Streams {
  readonly #left = new AbortController();
  // Kept: a response that nobody refers to is collected, which ends its stream.
  readonly #open: Response[] = [];

  async open(body: object): Promise<Response> {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json;q=0.1',
        ...(await bearer()),
      },
      signal: this.#left.signal,
      body: JSON.stringify(body),
    });
    this.#open.push(response);
    return response;
  }

  leave(): void {
    this.#left.abort();
  }
}

test('members and variables that it does not need are not kept', async () => {
  const streams = new Streams();
  const padding = Array.from({ length: 20_000 }, () => ({}));
  const { status } = await streams.open({ query: SHORT, variables: { padding }, extensions: { padding } });
  expect([status, await heldBytes()]).toEqual([200, 0]);
  streams.leave();
});

test('its document counts once, until the last subscription that runs it ends', async () => {
  const [first, others] = [new Streams(), new Streams()];
  // Two runs have documents of their own; the second puts its into the cache.
  for (let run = 1; run <= 2; run += 1) await first.open({ query: longDocument('Same') });
  const bytes = await heldBytes();
  expect(bytes).toBeGreaterThan(400_000);
  for (let run = 3; run <= 6; run += 1) await others.open({ query: longDocument('Same') });
  expect(await heldBytes()).toBe(bytes);
  first.leave();
  await until(async () => (await heldBytes()) === bytes / 2);
  others.leave();
  await until(async () => (await heldBytes()) === 0);
});

test('an address keeps a limited number of documents', async () => {
  const streams = new Streams();
  let last = await streams.open({ query: SHORT });
  for (let index = 0; last.status === 200; index += 1) {
    last = await streams.open({ query: longDocument(`Q${index}`) });
  }
  expect(((await last.json()) as Json).errors[0].extensions.reason).toBe('TOO_MANY_BYTES');
  expect(await heldBytes()).toBeGreaterThan(15_000_000);
  streams.leave();
  await until(async () => (await heldBytes()) === 0);
});

test('over WebSocket, its ID is short', async () => {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const messages: Json[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: await bearer() }));
  await until(() => messages.length === 1);
  const payload = { query: SHORT };
  socket.send(JSON.stringify({ type: 'subscribe', id: 'x'.repeat(201), payload }));
  await until(() => messages.length === 2);
  expect(messages[1]).toMatchObject({ type: 'error', payload: [{ extensions: { reason: 'ID_TOO_LONG' } }] });
  socket.terminate();
});
