import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import pg from 'pg';
import { FileStores } from './gateway-fixture.js';

/** The table of documents cannot be read from the commit of one on: its caller still learns what was committed. */
const lockers: pg.Client[] = [];

afterAll(() => Promise.all(lockers.map((locker) => locker.end())));
const stores = new FileStores();
const gateway = stores.gateway({ REQUEST_TIMEOUT_MS: '4000' });
const FIELDS = 'id documentNumber subject body createdBy createdAt discipline { code }';

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    const locker = new pg.Client({ connectionString: stores.ownerUrl });
    await locker.connect();
    lockers.push(locker);
  }
});

function untilWaiting(count: number): Promise<boolean> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
  return until(async () => (await stores.database.pool.query(waiting)).rowCount === count, {
    what: `${count} waiting for locks`,
  });
}

test('a document is answered as it was committed, although it cannot be read', async () => {
  const [ofDiscipline, ofTable] = lockers as [pg.Client, pg.Client];
  await ofDiscipline.query(`BEGIN; SELECT FROM disciplines WHERE code = 'STR' FOR UPDATE`);
  const creating = gateway.ask(`mutation { createCorrespondence(input: { projectCode: "DEMO",
    organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR", subject: "Steel" }) {
    ... on Correspondence { ${FIELDS} } } }`);
  // The insert waits for its foreign key, and the lock on the table for the commit of the insert.
  await untilWaiting(1);
  const locked = ofTable.query('BEGIN; LOCK TABLE correspondences IN ACCESS EXCLUSIVE MODE');
  await untilWaiting(2);
  await ofDiscipline.query('COMMIT');
  await locked;
  const { data, errors } = await creating;
  expect(errors).toEqual([]);
  const { createCorrespondence: document } = data;
  expect(document).toMatchObject({ subject: 'Steel', body: '', createdBy: '1', discipline: { code: 'STR' } });
  await ofTable.query('ROLLBACK');
  const { data: later } = await gateway.ask(`{ correspondence(id: "${document.id}") { ${FIELDS} } }`);
  expect(later.correspondence).toEqual(document);
});
