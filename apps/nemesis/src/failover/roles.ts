import { runGateway } from '@solegate/testkit';
import pg from 'pg';
import { OperationsPage } from '../system/operations-page.js';

/** The database of Solegate, as seen by its gateways and by an administrator. */
export interface RoleUrls {
  readonly gateways: string;
  readonly administrator: string;
}

/**
 * Creates the roles and the database with the SQL of docs/operations/roles.md, and the tables as their owner.
 *
 * @param serverUrl of an administrator of the server
 */
export async function createRoles(serverUrl: string): Promise<RoleUrls> {
  const sql = (await OperationsPage.read('roles.md')).command('create the roles');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  // One at a time: CREATE DATABASE cannot run in a transaction.
  for (const statement of sql.split(';\n').filter(Boolean)) await client.query(statement);
  await client.end();
  const urlOf = (username: string): string => {
    const password = new RegExp(`${username} LOGIN PASSWORD '(.*)'`).exec(sql)?.[1] ?? '';
    return Object.assign(new URL(serverUrl), { username, password, pathname: '/solegate' }).href;
  };
  const migrated = await runGateway({
    environment: { DATABASE_URL: urlOf('solegate_owner') },
    command: ['migrate', '--runtime-role', 'solegate_runtime'],
  });
  if (migrated.exitCode !== 0) throw new Error(`The tables were not created:\n${migrated.output}`);
  const administrator = Object.assign(new URL(serverUrl), { pathname: '/solegate' }).href;
  return { gateways: urlOf('solegate_runtime'), administrator };
}
