import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@solegate/testkit';

import { createProject } from './project.js';
import { EXPECTED, EXPECTED_DATABASE } from './sessions/expected.js';

const PROGRAMS = fileURLToPath(new URL('./sessions/', import.meta.url));

// sessions.proof.test.ts does the same for the others.
test('a call in a transaction of Drizzle means the same as in one of pg', async () => {
  await using database = await createTestDatabase({ migrations: [] });
  await using project = await createProject(['drizzle-orm']);
  await cp(PROGRAMS, project.folder, { recursive: true });
  const env = { DATABASE_URL: database.url };
  const meanings = JSON.parse(await project.node('meanings.mjs', env, ['pg', 'drizzle']));
  const expected = { ...EXPECTED, database: EXPECTED_DATABASE };
  expect(meanings).toEqual({ pg: expected, drizzle: expected });
});
