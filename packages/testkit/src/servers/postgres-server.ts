import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@solegate/local-services';
import { Client, Pool } from 'pg';
import { until } from '../judging/until.js';
import { inTemporaryDirectory, type TemporaryDirectory } from '../processes/data-directory.js';
import { ServerProcess, signal } from '../processes/server-process.js';
import type { Certificate } from './certificate-authority.js';
import { copyAsReplica, type ReplicaOptions, untilStreaming } from './postgres-replica.js';

type RunningPostgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a separate PostgreSQL with full durability, for faults that would disturb other tests. End it with `await
 * using` or `stop()`; it never outlives this process.
 */
export async function startPostgresServer(): Promise<PostgresTestServer> {
  return inTemporaryDirectory(async (directory) => {
    const running = await start(join(directory.path, 'data'));
    return new PostgresTestServer(running, directory);
  });
}

/** A PostgreSQL that keeps its port through every fault and restart; see `startPostgresServer`. */
export class PostgresTestServer implements AsyncDisposable {
  /** URL of its maintenance database, for `createTestDatabase({ serverUrl })`. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Administrator connections, for queries and settings. Losing them raises no uncaught error. */
  readonly pool: Pool;
  readonly #directory: TemporaryDirectory;
  readonly #synchronousReplicas: string[] = [];
  #running: RunningPostgres;
  #process: ServerProcess;
  #replicaCount = 0;

  constructor(running: RunningPostgres, directory: TemporaryDirectory) {
    this.#running = running;
    this.#process = new ServerProcess(running);
    this.#directory = directory;
    this.url = running.url;
    this.port = running.port;
    this.dataDir = running.dataDir;
    this.pool = new Pool({ connectionString: this.url, max: 5, application_name: ADMINISTRATOR });
    this.pool.on('connect', (client) => client.on('error', () => {}));
    this.pool.on('error', () => {});
  }

  /** Process ID of the postmaster; changes with each restart. */
  get pid(): number {
    return this.#process.pid;
  }

  /** kill -9 of the postmaster and all its backends. Resolves when it has ended; `restart()` recovers all commits. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** kill -9 of one backend: the server ends all sessions and recovers. Resolves when it accepts connections again. */
  async crash(): Promise<void> {
    const [victim, bystander] = await Promise.all([this.#connect(), this.#connect()]);
    const thrownOut = new Promise((resolve) => bystander.once('end', resolve));
    const { rows } = await victim.query('SELECT pg_backend_pid() AS pid');
    signal(rows[0].pid, 'SIGKILL');
    await thrownOut;
    await this.#untilAnswering();
  }

  /** Restarts on the same port: after a fast shutdown if the server is running, with recovery after `kill()`. */
  async restart(): Promise<void> {
    await this.#process.resumeAll();
    await this.#running.stop();
    this.#running = await start(this.dataDir, this.port);
    this.#process = new ServerProcess(this.#running);
  }

  /** Enables TLS with this certificate for new connections that request it, until the next call. */
  async serveTls({ cert, key }: Pick<Certificate, 'cert' | 'key'>): Promise<void> {
    const { uid, gid } = await stat(this.dataDir);
    for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      const file = join(this.dataDir, name);
      // PostgreSQL requires that it owns the key file and that no one else can read it.
      await rm(file, { force: true });
      await writeFile(file, text, { mode: 0o600 });
      await chown(file, uid, gid);
    }
    const { rows } = await this.pool.query('SELECT pg_conf_load_time() AS at');
    await this.pool.query('ALTER SYSTEM SET ssl = on');
    await this.pool.query('SELECT pg_reload_conf()');
    await until(async () => {
      const client = await this.#connect();
      const loaded = await client.query('SELECT pg_conf_load_time() > $1 AS again', [rows[0].at]);
      await client.end();
      return loaded.rows[0].again;
    });
  }

  /** SIGSTOP for the postmaster and all its backends: connections stay open, without replies. */
  pause(): Promise<void> {
    return this.#process.pauseAll();
  }

  /** SIGCONT: requests sent meanwhile are now carried out. */
  resume(): Promise<void> {
    return this.#process.resumeAll();
  }

  /**
   * Ends all client connections, or those of one database, except the testkit's own. Resolves with their count when all
   * have ended: a backend lives on briefly after its signal.
   */
  async terminateBackends(databaseName?: string): Promise<number> {
    const { rows } = await this.pool.query(TERMINATE, [databaseName ?? null, TESTKIT_NAMES]);
    const pids = rows.map((row) => row.pid);
    await until(async () => (await this.pool.query(STILL_THERE, [pids])).rowCount === 0);
    return pids.length;
  }

  /**
   * Starts a streaming replica and resolves when it has caught up. With `synchronous: true`, every commit from then on
   * waits until the replica has it on disk; with false, commits do not wait. End the replica before its primary.
   */
  async startReplica(options: ReplicaOptions): Promise<PostgresTestServer> {
    this.#replicaCount += 1;
    const name = `replica_${this.#replicaCount}`;
    const replica = await inTemporaryDirectory(async (directory) => {
      const dataDir = join(directory.path, 'data');
      await copyAsReplica(this, { name, dataDir, through: options.through });
      return new PostgresTestServer(await start(dataDir), directory);
    });
    if (options.synchronous) {
      this.#synchronousReplicas.push(name);
      const count = this.#synchronousReplicas.length;
      const names = `FIRST ${count} (${this.#synchronousReplicas.join(', ')})`;
      await this.pool.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await this.pool.query('SELECT pg_reload_conf()');
    }
    await untilStreaming(this.pool, name, options.synchronous);
    return replica;
  }

  /** Makes this replica a primary. Kill the old primary first, or both accept writes. */
  async promote(): Promise<void> {
    const { rows } = await this.pool.query('SELECT pg_promote(true, 60) AS promoted');
    if (!rows[0].promoted) throw new Error(`The replica on port ${this.port} was not promoted within 60 s`);
  }

  /** Ends the server and removes its data. Can be called twice. */
  async stop(): Promise<void> {
    await this.kill();
    // Not awaited: an unreleased client would keep it pending, and no connection is left anyway.
    this.pool.end().catch(() => {});
    await rm(this.dataDir, { recursive: true, force: true });
    await this.#directory.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url, application_name: ADMINISTRATOR });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async #untilAnswering(): Promise<void> {
    const answers = async () => {
      const client = await this.#connect();
      await client.end();
      return true;
    };
    await until(answers, { what: `PostgreSQL on port ${this.port} after a crash` });
  }
}

/** Its shared memory is a file among its data: elsewhere, a server that is killed would leave a megabyte behind. */
function start(dataDir: string, port?: number): Promise<RunningPostgres> {
  const args = ['-c', 'dynamic_shared_memory_type=mmap'];
  return startPostgres({ dataDir, args, ...(port !== undefined && { port }) });
}

const ADMINISTRATOR = 'testkit administrator';
const TESTKIT_NAMES = 'testkit %';

const TERMINATE = `
  SELECT pid, pg_terminate_backend(pid)
    FROM pg_stat_activity
   WHERE backend_type = 'client backend'
     AND application_name NOT LIKE $2
     AND ($1::text IS NULL OR datname = $1)`;

const STILL_THERE = 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1)';
