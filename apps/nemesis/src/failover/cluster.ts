import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerAccount, serverAccount } from '@solegate/local-services';
import { until } from '@solegate/testkit';
import { Member, SUPERUSER } from './member.js';
import { findPatroniPrograms, type PatroniPrograms } from './patroni-programs.js';
import { findPostgresTools } from './postgres-tools.js';
import { endWithUs, killIn, startIn } from './processes.js';

const BALANCER = fileURLToPath(new URL('../../../../docker/failover/haproxy.cfg', import.meta.url));
const MEMBER_COUNT = 3;
/** The first start copies the data twice; a former primary is rewound. */
const WHOLE_WITHIN_MS = 180_000;

/** How fast members detect a failure, in seconds; see Patroni. */
export interface Pace {
  readonly ttl: number;
  readonly loop_wait: number;
  readonly retry_timeout: number;
}

/** A member as reported by Patroni. */
interface Described {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** Three members, etcd, and the HAProxy that gateways connect to. All of them end with this process. */
export class PatroniCluster implements AsyncDisposable {
  readonly databaseUrl: string;
  readonly members: readonly Member[];
  readonly #directory: string;

  private constructor(directory: string, members: readonly Member[], port: number) {
    this.#directory = directory;
    this.members = members;
    this.databaseUrl = `postgres://${SUPERUSER.name}:${SUPERUSER.password}@127.0.0.1:${port}/postgres`;
  }

  static async start(
    synchronous: boolean,
    pace: Pace,
    onProgress: (step: string) => void,
  ): Promise<PatroniCluster> {
    const programs = await findPatroniPrograms(onProgress);
    const tools = await findPostgresTools();
    const account = await serverAccount();
    const directory = await mkdtemp(join(tmpdir(), 'solegate-failover-'));
    if (account.switchTo) await chown(directory, account.switchTo.uid, account.switchTo.gid);
    endWithUs(directory);
    onProgress('starting etcd and three members');
    const etcdUrl = await startEtcd(directory, programs, account);
    const members: Member[] = [];
    const place = { directory, account, programs, tools, etcdUrl };
    for (let number = 1; number <= MEMBER_COUNT; number += 1) {
      members.push(await Member.start({ ...place, name: `member${number}` }));
    }
    const port = await startBalancer(directory, programs, { account, members });
    const cluster = new PatroniCluster(directory, members, port);
    try {
      await cluster.#configure({
        synchronous_mode: synchronous,
        synchronous_mode_strict: synchronous,
        ...pace,
      });
      await cluster.untilWhole(synchronous);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  async findPrimary(): Promise<Member | undefined> {
    const answers = await Promise.all(this.members.map((member) => member.isPrimary()));
    return this.members[answers.indexOf(true)];
  }

  /** The primary, once there is one that is not `former`. */
  async untilPrimary(former?: Member): Promise<Member> {
    let primary: Member | undefined;
    const isThere = async () => {
      primary = await this.findPrimary();
      return primary !== undefined && primary !== former;
    };
    await until(isThere, { timeoutMs: WHOLE_WITHIN_MS, intervalMs: 100, what: 'a primary' });
    if (primary === undefined) throw new Error('The primary was lost again');
    return primary;
  }

  /** Waits until every member runs and replicates, one of them synchronously if `synchronous` is set. */
  async untilWhole(synchronous: boolean): Promise<void> {
    const isWhole = async () => {
      const primary = await this.findPrimary();
      const answer = await primary?.ask('/cluster');
      if (!answer?.ok) return false;
      const { members } = (await answer.json()) as { members: readonly Described[] };
      const followers = members.filter(({ role }) => role !== 'leader');
      const follow = ({ state, lag }: Described) => /^(running|streaming)$/.test(state) && lag === 0;
      const isSafe = !synchronous || followers.some(({ role }) => role === 'sync_standby');
      return followers.length === MEMBER_COUNT - 1 && followers.every(follow) && isSafe;
    };
    const waiting = { timeoutMs: WHOLE_WITHIN_MS, intervalMs: 200, what: 'a whole cluster' };
    await until(isWhole, waiting).catch((cause: unknown) => {
      const printed = this.members.map((member) => `${member.name}:\n${member.printed}`).join('\n');
      throw new Error(`The members did not form a cluster:\n${printed}`, { cause });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of this.members) await member[Symbol.asyncDispose]();
    await killIn(this.#directory);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #configure(settings: object): Promise<void> {
    const primary = await this.untilPrimary();
    const answer = await primary.ask('/config', { method: 'PATCH', body: JSON.stringify(settings) });
    if (!answer.ok) throw new Error(`Patroni rejected its settings: ${await answer.text()}`);
  }
}

async function startEtcd(
  directory: string,
  { etcd }: PatroniPrograms,
  account: ServerAccount,
): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const args = [
    '--enable-v2=true',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ];
  startIn(directory, { ...etcd, args }, { account, onOutput: () => undefined });
  const isThere = async () => (await fetch(`${url}/health`)).ok;
  await until(isThere, { timeoutMs: 60_000, intervalMs: 100, what: 'etcd' });
  return url;
}

async function startBalancer(
  directory: string,
  { haproxy }: PatroniPrograms,
  { account, members }: { readonly account: ServerAccount; readonly members: readonly Member[] },
): Promise<number> {
  const port = await freePort();
  const places = members.flatMap(({ clients, api }, index) => [
    [`MEMBER_${index + 1}`, `127.0.0.1:${clients.port}`],
    [`MEMBER_${index + 1}_API`, String(api.port)],
  ]);
  const env = { ...haproxy.env, POSTGRES_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(places) };
  const onOutput = () => undefined;
  startIn(directory, { ...haproxy, env, args: ['-db', '-f', BALANCER] }, { account, onOutput });
  return port;
}
