/** What a statement is run on; the shape of a pg pool and of its clients. */
interface Session {
  query(statement: unknown, ...rest: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

interface Pool<Client extends Session> extends Session {
  connect(): Promise<Client>;
}

/** One write in this many is forgotten; often enough for a run with a handful of writes. */
const FORGET_EVERY = 2;

/**
 * A PostgreSQL that answers "committed" and forgets: every second commit, and every second single writing statement, is
 * rolled back although its rows are handed over. It takes away what all promises rest on, so a bench that does not notice it
 * verifies nothing. Built only when the bench's control switch asks for it; no product code knows of it.
 */
export function forgetfulPool<Client extends Session & { release(error?: Error | boolean): void }>(
  pool: Pool<Client>,
): Pool<Client> {
  let writes = 0;
  const forgets = (): boolean => {
    writes += 1;
    return writes % FORGET_EVERY === 0;
  };
  return {
    query: async (statement, ...rest) => {
      if (!isWrite(statement) || !forgets()) return pool.query(statement, ...rest);
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        return await client.query(statement, ...rest);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    },
    connect: async () => {
      const client = await pool.connect();
      let isInTransaction = false;
      const query = async (statement: unknown, ...rest: unknown[]) => {
        if (isBegin(statement)) isInTransaction = true;
        if (isCommit(statement)) {
          isInTransaction = false;
          return client.query(forgets() ? 'ROLLBACK' : statement, ...rest);
        }
        if (isInTransaction || !isWrite(statement) || !forgets()) return client.query(statement, ...rest);
        await client.query('BEGIN');
        try {
          return await client.query(statement, ...rest);
        } finally {
          await client.query('ROLLBACK');
        }
      };
      return new Proxy(client, {
        get(target, property) {
          if (property === 'query') return query;
          const value: unknown = Reflect.get(target, property);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : '';
}

function isBegin(statement: unknown): boolean {
  return /^\s*BEGIN\b/i.test(textOf(statement));
}

/** COMMIT may come behind another statement of the same text. */
function isCommit(statement: unknown): boolean {
  return /\bCOMMIT\s*;?\s*$/i.test(textOf(statement));
}

function isWrite(statement: unknown): boolean {
  return /\b(INSERT|UPDATE|DELETE)\b/i.test(textOf(statement));
}
