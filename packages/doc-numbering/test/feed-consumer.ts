import pg from 'pg';
import { createNumbering } from '../src/index.js';

/** A process that follows a series of P1 from a cursor, and writes what it gets with the cursor after it, a line for each. */
const [databaseUrl, series = '', after = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
pool.on('error', () => undefined);

const numbering = createNumbering({ database: pool, requestTimeoutMs: 5000 });
const open = async () => {
  for (;;) {
    try {
      return await numbering.feed({ space: 'P1', series, pollMs: 50, ...(after === '' ? {} : { after }) });
    } catch (error) {
      if (!(error as { retryable?: boolean }).retryable) throw error;
    }
  }
};
const feed = await open();
for (;;) {
  const taken = await feed.take(40);
  if (taken.length === 0) break;
  const facts = taken.map(({ kind, entry }) => [kind, entry.counterId, entry.sequence]);
  process.stdout.write(`${JSON.stringify({ cursor: feed.cursor, facts })}\n`);
}
