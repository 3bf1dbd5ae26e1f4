import { sql } from 'drizzle-orm';

/** What doc-numbering asks its statements of, made of a transaction of Drizzle. */
export const drizzleSession = (transaction) => ({
  query: async ({ text, values }) => {
    const parts = text
      .split(/\$(\d+)/)
      .map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`));
    return transaction.execute(sql.join(parts));
  },
});
