import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createTestDatabase, type PostgresTestServer, startPostgresServer } from '@solegate/testkit';
import { Pool } from 'pg';
import { migrateTrips, migrations } from '../../../src/index.js';

/** The shared PostgreSQL. */
export interface ChaosPostgres extends AsyncDisposable {
  readonly url: string;
  readonly pool: Pool;
  /** Kills the primary and promotes its standby, if there is one. */
  failOver(): Promise<void>;
}

export async function openSteadyPostgres(serverUrl?: string): Promise<ChaosPostgres> {
  const database = await createTestDatabase({ migrations, ...(serverUrl ? { serverUrl } : {}) });
  const { url, pool } = database;
  return { url, pool, failOver: async () => {}, [Symbol.asyncDispose]: () => database.drop() };
}

const DATABASE = 'chaos';

/** A primary with a synchronous standby, behind an address that follows the primary. */
export async function openFailingPostgres(): Promise<ChaosPostgres> {
  const primary = await startPostgresServer();
  const standby = await primary.startReplica({ synchronous: true });
  await primary.pool.query(`CREATE DATABASE ${DATABASE}`);
  const address = await MovingAddress.open(primary.port);
  const target = new URL(primary.url);
  target.port = String(address.port);
  target.pathname = DATABASE;
  const pool = new Pool({ connectionString: target.href, max: 10, query_timeout: 5000 });
  pool.on('error', () => {});
  await migrateTrips(pool);
  return {
    url: target.href,
    pool,
    failOver: () => takeOver(primary, standby, address),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await address.close();
      await standby.stop();
      await primary.stop();
    },
  };
}

async function takeOver(primary: PostgresTestServer, standby: PostgresTestServer, address: MovingAddress) {
  await primary.kill();
  await standby.promote();
  address.moveTo(standby.port);
}

/** A port that forwards to another port, which can change. */
class MovingAddress {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#forward(client));
  }

  static async open(target: number): Promise<MovingAddress> {
    const address = new MovingAddress(target);
    address.#server.listen(0, '127.0.0.1');
    await once(address.#server, 'listening');
    return address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  moveTo(target: number): void {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  }
}
