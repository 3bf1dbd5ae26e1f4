import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerAccount } from '@solegate/local-services';
import { type FaultProxy, startFaultProxy } from '@solegate/testkit';
import type { PatroniPrograms } from './patroni-programs.js';
import type { PostgresTools } from './postgres-tools.js';
import { killIn, signalIn, startIn } from './processes.js';

const CONFIGURATION = fileURLToPath(new URL('../../../../docker/failover/patroni.yml', import.meta.url));
/** The role of Patroni, which all clients of the drill use as well. */
export const SUPERUSER = { name: 'postgres', password: 'drill' };
const ANSWER_MS = 1000;

export interface MemberPlace {
  readonly name: string;
  /** The folder of the cluster. */
  readonly directory: string;
  readonly account: ServerAccount;
  readonly programs: PatroniPrograms;
  readonly tools: PostgresTools;
  readonly etcdUrl: string;
}

/** A PostgreSQL with its Patroni, as on its own machine: all inbound and etcd traffic goes through proxies. */
export class Member implements AsyncDisposable {
  readonly name: string;
  /** For clients, and for the other members. */
  readonly clients: FaultProxy;
  readonly peers: FaultProxy;
  readonly api: FaultProxy;
  readonly #etcd: FaultProxy;
  readonly #directory: string;
  readonly #start: () => void;
  #printed = '';

  private constructor(
    place: MemberPlace,
    ports: { readonly postgres: number; readonly api: number },
    proxies: Record<'clients' | 'peers' | 'api' | 'etcd', FaultProxy>,
  ) {
    this.name = place.name;
    this.clients = proxies.clients;
    this.peers = proxies.peers;
    this.api = proxies.api;
    this.#etcd = proxies.etcd;
    this.#directory = join(place.directory, place.name);
    const { command, env } = place.programs.patroni;
    const settings = {
      NAME: place.name,
      RESTAPI_LISTEN: `127.0.0.1:${ports.api}`,
      RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${proxies.api.port}`,
      POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
      POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${proxies.peers.port}`,
      POSTGRESQL_DATA_DIR: join(this.#directory, 'data'),
      POSTGRESQL_BIN_DIR: place.tools.directory,
      POSTGRESQL_PGPASS: join(this.#directory, 'pgpass'),
      // The old etcd API: with the new one, Patroni before 3.1 caches etcd's data, which goes stale on a machine
      // that was frozen or starved (patroni/patroni#2783), and then no standby can become synchronous.
      ETCD_HOSTS: `127.0.0.1:${proxies.etcd.port}`,
      // The addresses that etcd advertises would bypass the proxy.
      ETCD_USE_PROXIES: 'true',
      SUPERUSER_USERNAME: SUPERUSER.name,
      SUPERUSER_PASSWORD: SUPERUSER.password,
      REPLICATION_USERNAME: 'replicator',
      REPLICATION_PASSWORD: SUPERUSER.password,
    };
    const named = Object.entries(settings).map(([name, value]) => [`PATRONI_${name}`, value]);
    const program = {
      command: '/usr/bin/python3',
      args: [command, CONFIGURATION],
      env: { ...place.tools.env, ...env, ...Object.fromEntries(named) },
    };
    const onOutput = (text: string) => {
      this.#printed = (this.#printed + text).slice(-8000);
    };
    this.#start = () => void startIn(this.#directory, program, { account: place.account, onOutput });
  }

  static async start(place: MemberPlace): Promise<Member> {
    const directory = join(place.directory, place.name);
    await mkdir(directory);
    if (place.account.switchTo)
      await chown(directory, place.account.switchTo.uid, place.account.switchTo.gid);
    const ports = { postgres: await freePort(), api: await freePort() };
    const postgresUrl = `postgres://127.0.0.1:${ports.postgres}`;
    const member = new Member(place, ports, {
      clients: await startFaultProxy(postgresUrl),
      peers: await startFaultProxy(postgresUrl),
      api: await startFaultProxy(`http://127.0.0.1:${ports.api}`),
      etcd: await startFaultProxy(place.etcdUrl),
    });
    member.#start();
    return member;
  }

  /** The end of Patroni's output. */
  get printed(): string {
    return this.#printed;
  }

  /** Stops the machine instantly, until `start`. */
  kill(): Promise<void> {
    return killIn(this.#directory);
  }

  start(): void {
    this.#start();
  }

  /** Stops every process; connections stay open. */
  async freeze(): Promise<void> {
    await signalIn(this.#directory, 'SIGSTOP');
    // Again, for processes that were forked meanwhile.
    await signalIn(this.#directory, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    await signalIn(this.#directory, 'SIGCONT');
  }

  /** Isolates it from etcd and everything else while it continues to run. */
  cutOff(): void {
    for (const proxy of this.#proxies) proxy.set('blackHole');
  }

  reconnect(): void {
    for (const proxy of this.#proxies) proxy.set('pass');
  }

  /** Whether others see it as the primary. */
  async isPrimary(): Promise<boolean> {
    return (await this.ask('/primary').catch(() => undefined))?.status === 200;
  }

  /** Calls its Patroni as other machines would. */
  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.api.port}${path}`, {
      ...init,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    for (const proxy of this.#proxies) await proxy.close();
  }

  get #proxies(): readonly FaultProxy[] {
    return [this.clients, this.peers, this.api, this.#etcd];
  }
}
