// Letters that are numbered without gaps: the letter and its number are one transaction of Drizzle.
import { createNumbering, migrateNumbering, NumberingError } from '@solegate/doc-numbering';
import { openRedis } from '@solegate/redis-infra';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import express from 'express';
import pg from 'pg';

const { DATABASE_URL, REDIS_URL, PORT = '3000' } = process.env;

const letters = pgTable('letters', {
  id: uuid().primaryKey().defaultRandom(),
  subject: text().notNull(),
});

const pool = new pg.Pool({ connectionString: DATABASE_URL });
const database = drizzle({ client: pool });
await database.execute(
  sql`CREATE TABLE IF NOT EXISTS letters (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), subject text NOT NULL)`,
);

await migrateNumbering(pool);
const redis = await openRedis({ url: REDIS_URL, purpose: 'decision' });
const numbering = createNumbering({ database: pool, redis });
const series = { space: 'office', series: 'LETTER', actor: 'example' };
await numbering.defineSeries({ ...series, timeZone: 'UTC' });
await numbering.saveFormat({ ...series, template: '{TYPE}-{YEAR}-{SEQ:4}' });

const app = express();
app.use(express.json());

app.post('/letters', async (request, response) => {
  const letter = await database.transaction(async (transaction) => {
    const [{ id }] = await transaction.insert(letters).values({ subject: request.body.subject }).returning();
    // Last: until the commit everybody else waits for this counter.
    const { number } = await numbering.issueIn(transaction, { ...series, document: id });
    return { id, number };
  });
  response.status(201).json(letter);
});

app.use((error, _request, response, next) => {
  if (!(error instanceof NumberingError)) return next(error);
  response.status(error.retryable ? 503 : 422).json({ code: error.code, message: error.message });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`POST http://127.0.0.1:${server.address().port}/letters`);
});

process.once('SIGTERM', async () => {
  server.close();
  await numbering.close();
  redis.disconnect();
  await pool.end();
});
