import { createDataSource, poolOf } from '../src/stores/data-source.js';
import { migrate } from '../src/stores/schema.js';
import { RUNTIME_ROLE } from './gateway-client.js';

/** Test files share the server, and roles belong to the server: the role may already exist. */
const CREATE_ROLE = `DO $$ BEGIN
  CREATE ROLE ${RUNTIME_ROLE} LOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

const prepared = new Map<string, Promise<string>>();

/** Creates the tables as their owner, and returns the URL of the same database with the gateways' role. */
export function asRuntimeRole(ownerUrl: string): Promise<string> {
  if (new URL(ownerUrl).username === RUNTIME_ROLE) return Promise.resolve(ownerUrl);
  const known = prepared.get(ownerUrl) ?? prepare(ownerUrl);
  prepared.set(ownerUrl, known);
  return known;
}

async function prepare(ownerUrl: string): Promise<string> {
  const dataSource = createDataSource({
    url: ownerUrl,
    entities: [],
    poolMax: 2,
    statementTimeoutMs: 60_000,
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  try {
    await poolOf(dataSource).query(CREATE_ROLE);
    await migrate(dataSource, RUNTIME_ROLE);
  } finally {
    await dataSource.destroy();
  }
  const url = new URL(ownerUrl);
  url.username = RUNTIME_ROLE;
  return url.href;
}
