import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const gateway = fileURLToPath(new URL('../../apps/gateway/', import.meta.url));
const PROGRAM = `import pg from 'pg';
const client = new pg.Client(process.argv[1]);
await client.connect();
await client.query(process.argv[2]);
await client.end();`;

/** Runs SQL of a page at this URL, statement by statement: CREATE DATABASE cannot run in a transaction. */
export async function runSql(url: string, sql: string): Promise<void> {
  for (const statement of sql.split(';').filter((text) => text.trim() !== '')) {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM, url, statement], {
      cwd: gateway,
    });
  }
}
