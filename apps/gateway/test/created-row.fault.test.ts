import { afterAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import pg from 'pg';
import { FileStores } from './gateway-fixture.js';

/** The table of an entry cannot be read from the moment on that it was written: its caller still learns what was done. */
const lockers: pg.Client[] = [];

afterAll(() => Promise.all(lockers.map((client) => client.end())));
const stores = new FileStores();
const gateway = stores.gateway({ REQUEST_TIMEOUT_MS: '4000' });

async function locker(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stores.ownerUrl });
  await client.connect();
  lockers.push(client);
  return client;
}

function untilWaiting(count: number): Promise<boolean> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
  return until(async () => (await stores.database.pool.query(waiting)).rowCount === count, {
    what: `${count} waiting for locks`,
  });
}

const CREATE = `mutation { createDiscipline(input: { code: "HVAC", name: "Air" }) {
  ... on Discipline { id code name } } }`;
const RENAME = `mutation { renameDiscipline(input: { code: "HVAC", name: "Ventilation" }) {
  ... on Discipline { id code name } } }`;

test.each([
  ['created', CREATE, 'Air'],
  ['renamed', RENAME, 'Ventilation'],
])(
  'an entry that is %s is answered as it was stored, although it cannot be read',
  async (_how, mutation, name) => {
    const [writes, reads] = [await locker(), await locker()];
    await writes.query('BEGIN; LOCK TABLE disciplines IN SHARE MODE');
    const asked = gateway.ask(mutation);
    // The write waits for the first lock, and the second lock for the commit of the write.
    await untilWaiting(1);
    const locked = reads.query('BEGIN; LOCK TABLE disciplines IN ACCESS EXCLUSIVE MODE');
    await untilWaiting(2);
    await writes.query('COMMIT');
    await locked;
    const { data, errors } = await asked;
    await reads.query('ROLLBACK');
    expect(errors).toEqual([]);
    expect(Object.values(data)).toEqual([expect.objectContaining({ code: 'HVAC', name })]);
    const { data: later } = await gateway.ask(
      '{ disciplines(codeStart: "HVAC") { edges { node { id code name } } } }',
    );
    expect(later.disciplines.edges).toEqual([{ node: Object.values(data)[0] }]);
  },
);
