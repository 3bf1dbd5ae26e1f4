import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type PooledSession,
  poolOf,
  type SqlDatabase,
  type SqlPool,
  type SqlResult,
  type SqlStatement,
  type TransactionSession,
} from '@solegate/postgres-infra';
import { pgliteProgram } from './pglite-program.js';

const PGLITE = '@electric-sql/pglite';
/** The one object that all test files of a process share, though Jest gives each its own modules and globals. */
const processWide = Worker as unknown as Record<symbol, Worker | undefined>;
const SERVER = Symbol.for('@solegate/doc-numbering/testing');
/** OIDs of types that arrive as text. */
const READERS: Readonly<Record<number, (text: string) => unknown>> = {
  114: JSON.parse,
  1114: (text) => new Date(text),
  1184: (text) => new Date(text),
  3802: JSON.parse,
};

const CLOSED = { message: 'The test database is closed' };

interface Result {
  readonly rows: Record<string, unknown>[];
  readonly types: [string, number][];
  readonly affectedRows?: number;
}

interface Reply {
  readonly id: number;
  /** Of `exec`, one for each statement. */
  readonly result?: Result | Result[];
  readonly failure?: { readonly message: string };
}

/**
 * A schema of its own in a PostgreSQL that runs in a thread of this process, as a pool with one connection. While a caller
 * has it, all others wait, those of other test databases of this process too.
 */
export class TestDatabase implements SqlPool {
  /** As in a Pool of `pg`: no transaction. */
  readonly totalCount = 1;
  readonly #port: MessagePort;
  readonly #pool: SqlPool;
  readonly #pending = new Map<number, (reply: Omit<Reply, 'id'>) => void>();
  #lastId = 0;
  #isClosed = false;

  /** @internal Use testNumbering. */
  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const schema = `test_${randomUUID().replaceAll('-', '')}`;
    server().postMessage({ port: port2, schema }, [port2]);
    port1.on('message', (reply: Reply) => this.#settle(reply));
    port1.on('close', () => this.close());
    port1.unref();
    // What `poolOf` takes for an instance of PGlite.
    const lite = {
      query: (text: string, values: unknown[]) => this.#ask('query', text, values),
      exec: (text: string) => this.#ask('exec', text),
      sql: () => undefined,
    };
    this.#pool = poolOf(lite as unknown as SqlDatabase);
  }

  /** Takes the connection. What is left of a transaction at its release is rolled back. */
  async connect(): Promise<PooledSession & TransactionSession> {
    await this.#ask('connect');
    const session = await this.#pool.connect();
    let isReleased = false;
    return {
      query: (statement: SqlStatement | string, values: unknown[] = []) =>
        session.query(typeof statement === 'string' ? { text: statement, values } : statement),
      release: (error) => {
        if (isReleased) return;
        isReleased = true;
        session.release(error);
        this.#ask('release').catch(() => undefined);
      },
    };
  }

  /** Runs one statement, in its own transaction. */
  async query(text: string, values: unknown[] = []): Promise<SqlResult> {
    const session = await this.connect();
    try {
      return await session.query({ text, values });
    } finally {
      session.release();
    }
  }

  /** @internal Drops the schema, also if a caller still has the connection. */
  close(): void {
    this.#isClosed = true;
    this.#port.close();
    for (const settle of this.#pending.values()) settle({ failure: CLOSED });
    this.#pending.clear();
  }

  #ask(command: string, text?: string, values?: unknown[]): Promise<Reply['result']> {
    if (this.#isClosed) return Promise.reject(new Error(CLOSED.message));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ result, failure }) =>
        failure ? reject(Object.assign(new Error(failure.message), failure)) : resolve(result),
      );
      // A test that waits keeps the process; an idle database does not.
      this.#port.ref();
      this.#port.postMessage({ id, command, text, values });
    });
  }

  #settle({ id, ...reply }: Reply): void {
    for (const { rows, types } of [reply.result ?? []].flat())
      for (const [name, type] of types) {
        const read = READERS[type];
        for (const row of read ? rows : []) if (typeof row[name] === 'string') row[name] = read?.(row[name]);
      }
    this.#pending.get(id)?.(reply);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#port.unref();
  }
}

/** Starts the server at the first call in this process. */
function server(): Worker {
  const running = processWide[SERVER];
  if (running) return running;
  const started = new Worker(pgliteProgram, { eval: true, workerData: findPglite() });
  started.unref();
  started.once('exit', () => {
    processWide[SERVER] = undefined;
  });
  processWide[SERVER] = started;
  return started;
}

/** Where the tests run, or else where their runner is: PGlite is installed beside it. */
function findPglite(): string {
  for (const folder of [process.cwd(), dirname(process.argv[1] ?? '')]) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(PGLITE);
    } catch {
      // Perhaps in the other folder.
    }
  }
  throw new Error(
    `testNumbering needs PGlite, not found from ${process.cwd()}: npm install --save-dev ${PGLITE}`,
  );
}
