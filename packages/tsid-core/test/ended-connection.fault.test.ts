import { expect, test } from '@jest/globals';
import { startEndingPostgres } from '@solegate/testkit';
import pg from 'pg';
import { leaseNode } from '../src/node-lease/index.js';
import { postgresLeaseStore } from '../src/node-lease/postgres/index.js';

test('a connection of PostgreSQL that ends when it is made fails the claim, not the process', async () => {
  using server = await startEndingPostgres();
  const pool = new pg.Pool({ host: '127.0.0.1', port: server.port, user: 'u', database: 'd', max: 2 });
  const claim = leaseNode({ store: postgresLeaseStore(pool), automatic: false });
  await expect(claim).rejects.toMatchObject({ code: 'NODE_LEASE_UNAVAILABLE' });
  await pool.end();
});
