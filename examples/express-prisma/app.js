// Letters that are numbered without gaps: the letter and its number are one transaction of Prisma.
import { PrismaPg } from '@prisma/adapter-pg';
import prismaClient from '@prisma/client';
import { createNumbering, migrateNumbering, NumberingError } from '@solegate/doc-numbering';
import express from 'express';
import pg from 'pg';

const { DATABASE_URL, PORT = '3000' } = process.env;

// Prisma gives out no connections, so both share this pool: Prisma for transactions, numbering for everything else.
const pool = new pg.Pool({ connectionString: DATABASE_URL });
const prisma = new prismaClient.PrismaClient({ adapter: new PrismaPg(pool) });
await prisma.$executeRaw`CREATE TABLE IF NOT EXISTS letters (id text PRIMARY KEY, subject text NOT NULL)`;

await migrateNumbering(pool);
const numbering = createNumbering({ database: pool });
const series = { space: 'office', series: 'LETTER', actor: 'example' };
await numbering.defineSeries({ ...series, timeZone: 'UTC' });
await numbering.saveFormat({ ...series, template: '{TYPE}-{YEAR}-{SEQ:4}' });

const app = express();
app.use(express.json());

app.post('/letters', async (request, response) => {
  const letter = await prisma.$transaction(async (transaction) => {
    const { id } = await transaction.letter.create({ data: { subject: request.body.subject } });
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
  await prisma.$disconnect();
  await pool.end();
});
