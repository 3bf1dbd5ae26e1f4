import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CuttableLink } from '../src/faults/cuttable-link.js';
import { mockClock } from '../src/ids/mocked-clock.js';
import { forgetfulPool } from '../src/running/forgetful-pool.js';

describe('a link that can be cut', () => {
  let echo: Server;
  let link: CuttableLink;
  let client: Socket;

  beforeEach(async () => {
    echo = createServer((socket) => socket.pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    link = await CuttableLink.to(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    client = connect(Number(new URL(link.url).port), '127.0.0.1');
    await once(client, 'connect');
  });

  afterEach(async () => {
    client.destroy();
    await link[Symbol.asyncDispose]();
    echo.close();
  });

  test('passes what is sent', async () => {
    client.write('hello');
    expect(String((await once(client, 'data'))[0])).toBe('hello');
  });

  test('passes nothing while it is cut, and delivers once it is restored', async () => {
    client.write('first');
    await once(client, 'data');
    link.cut();
    let heard = '';
    client.on('data', (part) => {
      heard += String(part);
    });
    client.write('second');
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toBe('');
    link.mend();
    await once(client, 'data');
    expect(heard).toBe('second');
  });
});

describe('a mocked clock', () => {
  test('advances by a millisecond every 256 readings, or immediately on request', () => {
    const clock = mockClock();
    const startedMs = Date.now();
    for (let reading = 0; reading < 256; reading += 1) Date.now();
    expect(Date.now()).toBe(startedMs + 1);
    clock.tick();
    expect(Date.now()).toBe(startedMs + 2);
    clock.restore();
  });
});

describe('a forgetful pool', () => {
  const sent: string[] = [];
  const client = {
    query: async (statement: unknown) => {
      sent.push(String(statement));
      return { rows: [{ id: 1 }], rowCount: 1 };
    },
    release: () => undefined,
  };
  const pool = { query: client.query, connect: async () => client };

  beforeEach(() => {
    sent.length = 0;
  });

  test('returns the rows of every second write but rolls it back; leaves reads alone', async () => {
    const forgetful = forgetfulPool(pool);
    await forgetful.query('SELECT 1');
    await forgetful.query('UPDATE a');
    expect((await forgetful.query('UPDATE b')).rows).toEqual([{ id: 1 }]);
    expect(sent).toEqual(['SELECT 1', 'UPDATE a', 'BEGIN', 'UPDATE b', 'ROLLBACK']);
  });

  test('turns every second commit into a rollback', async () => {
    const forgetful = forgetfulPool(pool);
    const session = await forgetful.connect();
    for (const statement of ['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT']) await session.query(statement);
    expect(sent).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK']);
  });
});
