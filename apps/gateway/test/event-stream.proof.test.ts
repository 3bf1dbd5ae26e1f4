import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { FileStores } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** A flood of clients that open streams of server-sent events and are gone before those begin. */
const gateway = new FileStores().gateway({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

async function streamCount(): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^solegate_gateway_streams (\d+)$/m.exec(text)?.[1]);
}

test('clients that leave before their stream begins leave no place taken', async () => {
  const facts: TokenFacts = { subject: '89', roles: ['rider'] };
  const headers = await bearer(facts);
  const { data } = await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
    headers,
  });
  // Nothing happens to the trip: no event shows that the client has left.
  const query = `subscription { tripUpdated(tripId: "${data.requestTrip.id}", afterRevision: 1) { revision } }`;
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: text/event-stream\r\nauthorization: ${headers.authorization}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const leave = async (afterMs: number, requestCount: number): Promise<void> => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write((head + body).repeat(requestCount));
    await pause(afterMs);
    socket.destroy();
  };
  // Two requests on one connection: the second response waits behind the first, which does not end.
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => leave(index % 9, 1 + (index % 2))));
  }
  await until(async () => (await streamCount()) === 0);
  const left = new AbortController();
  const places = await Promise.all(
    Array.from({ length: 100 }, () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
        signal: left.signal,
        body,
      }),
    ),
  );
  expect(new Set(places.map(({ status }) => status))).toEqual(new Set([200]));
  left.abort();
});
