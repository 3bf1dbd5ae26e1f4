import { chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerAccount, serverAccount, temporaryPlace } from '@solegate/local-services';
import { until } from '@solegate/testkit';
import { freeEtcdAddress, untilAgreed } from './etcd.js';
import { Member, SUPERUSER } from './member.js';
import { findPatroniPrograms, type PatroniPrograms } from './patroni-programs.js';
import { findPostgresTools } from './postgres-tools.js';
import { endWithUs, killIn, startIn } from './processes.js';

const BALANCER = fileURLToPath(new URL('../../../../docker/failover/haproxy.cfg', import.meta.url));
const NAMES = ['member1', 'member2', 'member3'];
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

/** Three members, each with an etcd, and the HAProxy that gateways connect to. All of them end with this process. */
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
    const directory = await mkdtemp(join(await temporaryPlace(), 'solegate-failover-'));
    if (account.switchTo) await chown(directory, account.switchTo.uid, account.switchTo.gid);
    endWithUs(directory);
    onProgress('starting three members');
    const etcds = await Promise.all(NAMES.map(freeEtcdAddress));
    const members: Member[] = [];
    const place = { directory, account, programs, tools, etcds };
    for (const etcd of etcds) members.push(await Member.prepare({ ...place, etcd }));
    await untilAgreed(etcds);
    for (const member of members) member.startPatroni();
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
    await this.explained(until(isThere, { timeoutMs: WHOLE_WITHIN_MS, intervalMs: 100, what: 'a primary' }));
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
      return followers.length === NAMES.length - 1 && followers.every(follow) && isSafe;
    };
    const waiting = { timeoutMs: WHOLE_WITHIN_MS, intervalMs: 200, what: 'a whole cluster' };
    await this.explained(until(isWhole, waiting));
  }

  /** Adds to a failure what the members printed last. */
  explained(work: Promise<unknown>): Promise<unknown> {
    return work.catch((cause: unknown) => {
      const printed = this.members.map((member) => `${member.name}:\n${member.printed}`).join('\n');
      throw new Error(`What the members printed last:\n${printed}`, { cause });
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

async function startBalancer(
  directory: string,
  { haproxy }: PatroniPrograms,
  { account, members }: { readonly account: ServerAccount; readonly members: readonly Member[] },
): Promise<number> {
  const port = await freePort();
  const places = members.flatMap(({ proxies: { clients, api } }, index) => [
    [`MEMBER_${index + 1}`, `127.0.0.1:${clients.port}`],
    [`MEMBER_${index + 1}_API`, String(api.port)],
  ]);
  const env = { ...haproxy.env, POSTGRES_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(places) };
  const onOutput = () => undefined;
  startIn(directory, { ...haproxy, env, args: ['-db', '-f', BALANCER] }, { account, onOutput });
  return port;
}
