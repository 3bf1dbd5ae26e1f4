import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestDatabase } from '@solegate/testkit';

import { composeService } from './deployment-files.js';

const gateway = fileURLToPath(new URL('../../apps/gateway/', import.meta.url));
const ROLE = 'solegate_runtime';
const CREATE_ROLE = `DO $$ BEGIN
  CREATE ROLE ${ROLE} LOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

/**
 * Runs the command of the compose file's `migrate` service as a plain process.
 *
 * @returns URL of the database for the role of gateways
 */
export async function migrateForRuntime(database: Pick<TestDatabase, 'url' | 'pool'>): Promise<string> {
  await database.pool.query(CREATE_ROLE);
  await runMigrate(database.url);
  const url = new URL(database.url);
  url.username = ROLE;
  return url.href;
}

/** Runs the job with the owner's URL. @throws Error with its output */
export async function runMigrate(ownerUrl: string): Promise<void> {
  const [, ...command] = composeService('migrate').command ?? [];
  await promisify(execFile)(process.execPath, command, {
    cwd: gateway,
    env: { PATH: process.env.PATH, DATABASE_URL: ownerUrl },
  });
}
