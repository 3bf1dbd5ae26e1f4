import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type PostgresTestServer, startPostgresServer } from '@solegate/testkit';
import { StoreUnavailableError } from '../../src/index.js';
import { assertGapless, type Office, openOffice, rfa, withSeries } from '../number-office.js';

/** A ledger on a full disk: a 4 MB tmpfs, which only root can mount. */
const run = promisify(execFile);
let postgres: PostgresTestServer;
let office: Office;
let directory: string;

beforeAll(async () => {
  postgres = await startPostgresServer();
  directory = await mkdtemp(join(tmpdir(), 'solegate-small-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory]);
  const { uid, gid } = await stat(postgres.dataDir);
  await chown(directory, uid, gid);
  office = await openOffice({ serverUrl: postgres.url, redis: true, requestTimeoutMs: 2_000 });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:8}' });
  await office.database.pool.query(`CREATE TABLESPACE small_disk LOCATION '${directory}'`);
  await office.database.pool.query('ALTER TABLE document_numbers SET TABLESPACE small_disk');
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await postgres.stop();
  await run('umount', [directory]);
  await rm(directory, { recursive: true });
});

test('a full disk is reported as unavailable in time and costs no number; issuing resumes once there is space', async () => {
  const issued: number[] = [];
  let failure: unknown;
  while (failure === undefined) {
    const numbers = await office.numbering.issueMany(rfa, 500).catch((error: unknown) => {
      failure = error;
      return [];
    });
    issued.push(...numbers.map(({ sequence }) => sequence));
  }
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect(failure).toMatchObject({ retryable: true, cause: { sqlState: '53100' } });
  const crowd = await Promise.allSettled(
    Array.from({ length: 100 }, () => office.numbering.issueMany(rfa, 50)),
  );
  const refused = crowd.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(90);
  for (const call of crowd) {
    if (call.status === 'fulfilled') issued.push(...call.value.map(({ sequence }) => sequence));
    else expect(call.reason).toMatchObject({ retryable: true });
  }

  await run('mount', ['-o', 'remount,size=64m', directory]);
  issued.push((await office.numbering.issue(rfa)).sequence);
  expect(issued.toSorted((one, other) => one - other)).toEqual(issued.map((_, index) => index + 1));
  expect(await assertGapless(office.database.pool)).toBe(issued.length);
});
