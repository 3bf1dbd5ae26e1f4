import { chown, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerAccount, type UnpackedProgram } from '@solegate/local-services';
import { type FaultProxy, startFaultProxy } from '@solegate/testkit';
import { OperationsPage } from '../system/operations-page.js';
import { type EtcdAddress, etcdArguments } from './etcd.js';
import type { PatroniPrograms } from './patroni-programs.js';
import type { PostgresTools } from './postgres-tools.js';
import { killIn, signalIn, startIn } from './processes.js';

const CONFIGURATION = fileURLToPath(new URL('../../../../docker/failover/patroni.yml', import.meta.url));
/** The role of Patroni, and of the administrator. */
export const SUPERUSER = { name: 'postgres', password: 'drill' };
const ANSWER_MS = 1000;

export interface MemberPlace {
  /** The folder of the cluster. */
  readonly directory: string;
  readonly account: ServerAccount;
  readonly programs: PatroniPrograms;
  readonly tools: PostgresTools;
  /** On the machine of this member, and named like it. */
  readonly etcd: EtcdAddress;
  readonly etcds: readonly EtcdAddress[];
}

interface MemberProxies {
  /** For clients, and for the other members. */
  readonly clients: FaultProxy;
  readonly peers: FaultProxy;
  readonly api: FaultProxy;
  readonly etcds: readonly FaultProxy[];
}

type RunnableProgram = UnpackedProgram & { readonly args: readonly string[] };

/**
 * A PostgreSQL with its Patroni and an etcd, as on its own machine: all inbound traffic of PostgreSQL and Patroni, and
 * Patroni's to each etcd, goes through proxies.
 */
export class Member implements AsyncDisposable {
  #printed = '';

  private constructor(
    private readonly place: MemberPlace,
    readonly proxies: MemberProxies,
    private readonly programs: Record<'etcd' | 'patroni', RunnableProgram>,
  ) {}

  get name(): string {
    return this.place.etcd.name;
  }

  /** A machine whose etcd runs, but not yet Patroni. */
  static async prepare(place: MemberPlace): Promise<Member> {
    const { account, programs, tools, etcd, etcds } = place;
    const directory = join(place.directory, etcd.name);
    await mkdir(directory);
    await copyFile(CONFIGURATION, join(directory, 'patroni.yml'));
    if (account.switchTo) await chown(directory, account.switchTo.uid, account.switchTo.gid);
    const ports = { postgres: await freePort(), api: await freePort() };
    const postgresUrl = `postgres://127.0.0.1:${ports.postgres}`;
    const proxies = {
      clients: await startFaultProxy(postgresUrl),
      peers: await startFaultProxy(postgresUrl),
      api: await startFaultProxy(`http://127.0.0.1:${ports.api}`),
      etcds: await Promise.all(etcds.map(({ url }) => startFaultProxy(url))),
    };
    const block = await startingBlock({
      member1: etcd.name,
      '10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379': proxies.etcds
        .map(({ port }) => `127.0.0.1:${port}`)
        .join(','),
      '0.0.0.0:5432': `127.0.0.1:${ports.postgres}`,
      '10.0.0.1:5432': `127.0.0.1:${proxies.peers.port}`,
      '/var/lib/postgresql/solegate': join(directory, 'data'),
      '/usr/lib/postgresql/15/bin': tools.directory,
      '0.0.0.0:8008': `127.0.0.1:${ports.api}`,
      '10.0.0.1:8008': `127.0.0.1:${proxies.api.port}`,
      '…': SUPERUSER.password,
    });
    const env = {
      ...tools.env,
      ...programs.patroni.env,
      PATH: `${dirname(programs.patroni.command)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      // Patroni keeps a file of passwords there.
      HOME: directory,
      // The addresses that etcd advertises would bypass the proxies.
      PATRONI_ETCD3_USE_PROXIES: 'true',
    };
    const member = new Member(place, proxies, {
      etcd: { ...programs.etcd, args: etcdArguments(etcd, directory, etcds) },
      patroni: { command: '/bin/sh', args: ['-ec', block], env },
    });
    member.#startEtcd();
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

  /** Starts the machine again. */
  start(): void {
    this.#startEtcd();
    this.startPatroni();
  }

  startPatroni(): void {
    const onOutput = (text: string) => {
      this.#printed = (this.#printed + text).slice(-8000);
    };
    startIn(this.#directory, this.programs.patroni, { account: this.place.account, onOutput });
  }

  #startEtcd(): void {
    const onOutput = () => undefined;
    startIn(this.#directory, this.programs.etcd, { account: this.place.account, onOutput });
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
    for (const proxy of this.#allProxies) proxy.set('blackHole');
  }

  reconnect(): void {
    for (const proxy of this.#allProxies) proxy.set('pass');
  }

  /** Whether others see it as the primary. */
  async isPrimary(): Promise<boolean> {
    return (await this.ask('/primary').catch(() => undefined))?.status === 200;
  }

  /** Calls its Patroni as other machines would. */
  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.proxies.api.port}${path}`, {
      ...init,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    for (const proxy of this.#allProxies) await proxy.close();
  }

  get #directory(): string {
    return join(this.place.directory, this.name);
  }

  get #allProxies(): readonly FaultProxy[] {
    const { clients, peers, api, etcds } = this.proxies;
    return [clients, peers, api, ...etcds];
  }
}

/**
 * The block of docs/operations/failover.md that starts a member.
 *
 * @param here what stands on this machine for the names and addresses of the page
 */
async function startingBlock(here: Readonly<Record<string, string>>): Promise<string> {
  const page = await OperationsPage.read('failover.md');
  return Object.entries(here).reduce((block, [there, replacement]) => {
    if (!block.includes(there)) throw new Error(`failover.md no longer says "${there}"`);
    return block.replaceAll(there, replacement);
  }, page.command('start a member'));
}
