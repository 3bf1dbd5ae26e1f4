import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { leaseNode } from '../src/node-lease/index.js';
import { postgresLeaseStore } from '../src/node-lease/postgres/index.js';

/** A message of the PostgreSQL protocol. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test('a connection of PostgreSQL that ends when it is made fails the claim, not the process', async () => {
  const isReady = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const isEnded = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([isReady, isEnded])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'u', database: 'd', max: 2 });
  const claim = leaseNode({ store: postgresLeaseStore(pool), automatic: false });
  await expect(claim).rejects.toMatchObject({ code: 'NODE_LEASE_UNAVAILABLE' });
  await pool.end();
  server.close();
});
