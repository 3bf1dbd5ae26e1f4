import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { HeldBytes } from '../src/budget/held-bytes.js';
import { registerGraphqlRoute } from '../src/http/graphql-route.js';
import type { Identity } from '../src/identity/identity.js';

const SOMEBODY: Identity = {
  subjectId: 7n,
  roles: new Set(['clerk']),
  projects: 'ALL',
  expiresAtMs: undefined,
};

test('a body is not counted whose client has left while its token was verified', async () => {
  const held = new HeldBytes();
  const app = Fastify({ forceCloseConnections: true });
  const verifying = new EventEmitter();
  registerGraphqlRoute(app, {
    held,
    requestTimeoutMs: 10_000,
    isDraining: () => false,
    authenticate: async () => {
      verifying.emit('begun');
      await once(verifying, 'ended');
      return SOMEBODY;
    },
  } as unknown as Parameters<typeof registerGraphqlRoute>[1]);
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const begun = once(verifying, 'begun');
  try {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    client.write(
      'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{',
    );
    const [socket] = await accepted;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await begun;
    client.resetAndDestroy();
    await closed;
    verifying.emit('ended');
    await turn();
    expect(held.byteCount).toBe(0);
  } finally {
    held.stop();
    await app.close();
  }
});
