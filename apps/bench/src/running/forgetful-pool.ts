/** The shape of the clients of a pg pool. */
interface Session {
  query(statement: unknown, ...rest: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
  release(error?: Error | boolean): void;
}

interface Pool<Client extends Session> {
  connect(): Promise<Client>;
}

/** One in this many writes is forgotten; often enough for a run with a handful of writes. */
const FORGET_EVERY = 2;

const BEGINS = /^\s*BEGIN\b/i;
/** COMMIT can follow another statement in the same text. */
const COMMITS = /\bCOMMIT\s*;?\s*$/i;
/** Numbers are written by functions. */
const WRITES = /\b(INSERT|UPDATE|DELETE|document_number_\w+)\b/i;

/**
 * A PostgreSQL that reports commits and forgets them: every second commit, and every second single writing statement,
 * is rolled back although its rows are returned. All promises depend on commits, so a bench that does not detect this
 * verifies nothing. Used only with the bench's control switch; no product code depends on it.
 */
export function forgetfulPool<Client extends Session>(pool: Pool<Client>): Pool<Client> {
  let writes = 0;
  const forgets = (): boolean => {
    writes += 1;
    return writes % FORGET_EVERY === 0;
  };
  return {
    connect: async () => {
      const client = await pool.connect();
      let isInTransaction = false;
      const query = async (statement: unknown, ...rest: unknown[]) => {
        const text = textOf(statement);
        if (BEGINS.test(text)) isInTransaction = true;
        if (COMMITS.test(text)) {
          isInTransaction = false;
          return client.query(forgets() ? 'ROLLBACK' : statement, ...rest);
        }
        if (isInTransaction || !WRITES.test(text) || !forgets()) return client.query(statement, ...rest);
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
