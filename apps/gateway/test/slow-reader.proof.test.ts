import { request } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { createNumbering } from '@solegate/doc-numbering';
import { until } from '@solegate/testkit';
import WebSocket from 'ws';
import { FileStores, type Json } from './gateway-fixture.js';

/** A reader of facts that stops reading: what the gateway holds for it, when it is cut, and how it comes back. */
const NUMBER_COUNT = 60_000;
/** What a connection may leave unread, and a message more. */
const HELD_MAX = 2_100_000;
const QUERY = `subscription ($after: String) {
  documentNumberFacts(projectCode: "SLOW", typeCode: "RFA", after: $after) {
    cursor facts { kind actorId reason number { sequence number actorId period status } }
  }
}`;

interface Batch {
  readonly cursor: string;
  readonly facts: readonly Json[];
}

/** A connection whose reader can stop. */
interface Reader {
  pause(): void;
  resume(): void;
  leave(): void;
}

/** @param closed called when the connection has closed and everything is read */
type Follow = (after: string | undefined, take: (batch: Batch) => void, closed: () => void) => Reader;

const stores = new FileStores();
const gateway = stores.gateway({ RATE_LIMIT_PER_SECOND: '0' });

const overWebSocket: Follow = (after, take, closed) => {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const subscription = { id: '1', type: 'subscribe', payload: { query: QUERY, variables: { after } } };
  socket.on('error', () => undefined);
  socket.on('close', closed);
  socket.on('open', () => socket.send('{"type":"connection_init","payload":{"demoUser":"admin-1"}}'));
  socket.on('message', (data: Buffer) => {
    const { type, payload } = JSON.parse(data.toString());
    if (type === 'connection_ack') socket.send(JSON.stringify(subscription));
    if (type === 'next') take(payload.data.documentNumberFacts);
  });
  return {
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    leave: () => socket.terminate(),
  };
};

const overEvents: Follow = (after, take, closed) => {
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'x-demo-user': 'admin-1',
    ...(after === undefined ? {} : { 'last-event-id': after }),
  };
  let isPaused = false;
  let unread = '';
  const sent = request(`${gateway.url}/graphql`, { method: 'POST', headers }, (response) => {
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const frames = (unread + text).split('\n\n');
      unread = frames.pop() ?? '';
      for (const frame of frames) {
        const [, json] = /^data: (.+)$/m.exec(frame) ?? [];
        if (json !== undefined) take(JSON.parse(json).data.documentNumberFacts);
      }
      if (isPaused) response.pause();
    });
    sent.once('resume', () => response.resume());
  });
  sent.on('error', () => undefined);
  sent.on('close', closed);
  sent.end(JSON.stringify({ query: QUERY }));
  return {
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      sent.emit('resume');
    },
    leave: () => sent.destroy(),
  };
};

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function run(mutation: string): Promise<void> {
  const { data, errors } = await gateway.ask(`mutation { made: ${mutation} { __typename } }`, {
    as: 'admin-1',
  });
  expect(errors).toEqual([]);
  expect(data.made.__typename).not.toBe('Refusal');
}

async function prepare(): Promise<void> {
  await run('createProject(input: { code: "SLOW", name: "x" })');
  await run(`saveDocumentNumberFormat(input: { projectCode: "SLOW", typeCode: "RFA",
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}" })`);
  await run(`issueDocumentNumber(input: { projectCode: "SLOW", organizationCode: "TEAM", typeCode: "RFA",
    disciplineCode: "STR" })`);
  const { pool } = stores.database;
  await using numbering = createNumbering({ database: pool });
  const { items } = await numbering.listNumbers({ newestFirst: true }, { first: 1 });
  const { space = '', series = '', dimensions = {} } = items[0]?.item ?? {};
  for (let count = 1; count < NUMBER_COUNT; count += 1000)
    await numbering.issueMany({ space, series, dimensions, actor: '1' }, 1000);
}

beforeAll(prepare);

test.each([
  ['a WebSocket', overWebSocket],
  ['server-sent events', overEvents],
])(
  'a reader of facts over %s that stops reading is cut, and misses and repeats nothing when it comes back',
  async (_what, follow) => {
    const sequences: number[] = [];
    let cursor: string | undefined;
    const take = (batch: Batch): void => {
      ({ cursor } = batch);
      sequences.push(...batch.facts.map((fact) => fact.number.sequence as number));
    };
    let isClosed = false;
    // It stops at its first batch: on a busy machine, everything could arrive before anyone looks.
    const takeOne = (batch: Batch): void => {
      if (cursor === undefined) slow.pause();
      take(batch);
    };
    const slow = follow(undefined, takeOne, () => {
      isClosed = true;
    });
    await until(() => sequences.length > 0);
    let heldMax = 0;
    await until(
      async () => {
        heldMax = Math.max(heldMax, await metric('solegate_gateway_held_bytes'));
        return (await metric('solegate_feed_number_readers')) === 0;
      },
      { timeoutMs: 120_000 },
    );
    expect(heldMax).toBeGreaterThan(0);
    expect(heldMax).toBeLessThan(HELD_MAX);
    slow.resume();
    await until(() => isClosed);
    expect(sequences.length).toBeLessThan(NUMBER_COUNT);
    const again = follow(cursor, take, () => undefined);
    await until(() => sequences.length >= NUMBER_COUNT, { timeoutMs: 120_000 });
    again.leave();
    expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1));
  },
);
