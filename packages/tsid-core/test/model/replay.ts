import { type RedisConnection, RedisOutcomeUnknownError } from '@solegate/redis-infra';
import type { TestRedis } from '@solegate/testkit';
import { defineLayout } from '../../src/index.js';
import { NodeFleet } from '../../src/node-lease/fleet/node-fleet.js';
import { leaseTerms } from '../../src/node-lease/lease-options.js';
import type { Weakening } from '../fleet/weakened-redis.js';
import { after, partsOf } from './events.js';
import { type Memory, NODE_COUNT, type Reply, type Rules } from './lease-rules.js';
import { type Action, emptyWorld, type World } from './world.js';

/*
 * The same order of events on a real Redis. Every claim, renewal and release goes through NodeFleet and runs the real
 * script; afterwards the reply and all three keys must be those of the model. Only here do the scripts take the clock and
 * the run ID as arguments. Servers are namespaces of one Redis, and what happens to a server happens to its keys.
 */

const LAYOUT = defineLayout({ timeBits: 42, nodeBits: 1, sequenceBits: 21, epoch: 0 });
const KEYS = ['slots', 'grants', 'meta'] as const;
type Place = 'current' | 'frozen' | 'dump';

const CLOCK_AND_RUN: readonly Weakening[] = [
  ["redis.call('TIME')", "{ string.sub(ARGV[#ARGV], 1, -4), string.sub(ARGV[#ARGV], -3) .. '000' }"],
  ["redis.call('INFO', 'server')", "('run_id:' .. ARGV[#ARGV - 1])"],
];

/** The first difference between the model and Redis. */
export interface Difference {
  readonly order: readonly Action[];
  readonly model: unknown;
  readonly redis: unknown;
}

/** How many orders are replayed at a time: one waits for Redis most of the time. */
const LANE_COUNT = 8;

/** Replays orders until one differs, or all are done. */
export async function replayAll(
  client: TestRedis['client'],
  orders: Iterable<readonly Action[]>,
  rules: Rules,
  mutation?: Weakening,
): Promise<{
  difference: Difference | undefined;
  orderCount: number;
  stepCount: number;
  isMutated: boolean;
}> {
  const queue = orders[Symbol.iterator]();
  let difference: Difference | undefined;
  let orderCount = 0;
  const lanes = Array.from(
    { length: LANE_COUNT },
    (_, lane) => new Replay(client, rules, mutation, String(lane)),
  );
  await Promise.all(
    lanes.map(async (replay) => {
      for (let next = queue.next(); !next.done && difference === undefined; next = queue.next()) {
        orderCount++;
        difference ??= await replay.play(next.value);
      }
    }),
  );
  const stepCount = lanes.reduce((sum, lane) => sum + lane.stepCount, 0);
  return { difference, orderCount, stepCount, isMutated: lanes.some(({ isMutated }) => isMutated) };
}

/** Replays orders of events, with the scripts as they are or with a mutation. */
class Replay {
  readonly #client: TestRedis['client'];
  /** Prefix of the keys, so that several replays share a Redis. */
  readonly #lane: string;
  readonly #rules: Rules;
  readonly #changes: readonly Weakening[];
  readonly #redis: RedisConnection;
  #world: World = emptyWorld;
  #losesReply = false;
  #fleets: (NodeFleet | undefined)[] = [];
  /** Whether any script contained the mutated text. */
  isMutated = false;
  stepCount = 0;

  constructor(client: TestRedis['client'], rules: Rules, mutation?: Weakening, lane = '0') {
    this.#client = client;
    this.#lane = lane;
    this.#rules = rules;
    this.#changes = mutation === undefined ? CLOCK_AND_RUN : [mutation, ...CLOCK_AND_RUN];
    const run = (text: string, keyCount: number, ...rest: (string | number)[]) =>
      this.#run(text, keyCount, rest, mutation?.[0]);
    this.#redis = {
      isCluster: true,
      status: 'ready',
      evalsha: unknownScript,
      eval: run,
    } as unknown as RedisConnection;
  }

  /** Replays one order from an empty Redis. Returns the first difference. */
  async play(order: readonly Action[]): Promise<Difference | undefined> {
    const places: Place[] = ['current', 'frozen', 'dump'];
    await this.#client.del(...places.flatMap((place) => this.#keysOf(place)));
    this.#world = emptyWorld;
    this.#fleets = [];
    const { order: parts } = order.reduce(
      ({ world, order: before }, action) => ({
        world: after(world, action, this.#rules).world,
        order: [...before, ...partsOf(world, action, this.#rules)],
      }),
      { world: emptyWorld, order: [] as Action[] },
    );
    for (const [index, action] of parts.entries()) {
      const { world, reply } = after(this.#world, action, this.#rules);
      const replied = await this.#act(action);
      this.#world = world;
      this.stepCount++;
      const model = { reply: reply && essenceOf(reply), ...writtenOut(world.current.memory) };
      const redis = { reply: reply && replied, ...(await this.#memory()) };
      if (JSON.stringify(model) !== JSON.stringify(redis))
        return { order: parts.slice(0, index + 1), model, redis };
    }
    return undefined;
  }

  async #act(action: Action): Promise<unknown> {
    switch (action.kind) {
      case 'start a process':
      case 'start a process that trusts': {
        const process = this.#world.processes.indexOf(undefined);
        this.#fleets[process] = this.#newFleet();
        return this.#claim(process, action.kind === 'start a process that trusts');
      }
      case 'claim again':
        return this.#claim(action.process, false);
      case 'renew':
      case 'renew, reply lost':
        return this.#renew(action.process, action.kind !== 'renew');
      case 'release':
        return this.#release(action.process);
      case 'promote':
      case 'promote with a slow clock':
        return this.#copy('current', 'frozen');
      case 'promote from the dump':
        await this.#copy('current', 'frozen');
        return this.#copy('dump', 'current');
      case 'resume the frozen master':
        return this.#copy('frozen', 'current');
      case 'dump':
        return this.#copy('current', 'dump');
      case 'restore the dump':
      case 'restart from the dump':
        return this.#copy('dump', 'current');
      case 'restart empty':
      case 'delete all':
        return this.#client.del(...this.#keysOf('current'));
      case 'evict slots':
      case 'evict grants':
      case 'evict meta':
        return this.#client.del(`{${this.#lane}.current}:${action.kind.slice('evict '.length)}`);
      default:
        return undefined;
    }
  }

  async #claim(process: number, isTrusted: boolean): Promise<unknown> {
    const fleet = this.#fleets[process];
    const reply = await fleet?.claim(`t${this.#world.nameCount}`, false, isTrusted);
    switch (reply?.kind) {
      case 'granted':
        return [reply.kind, reply.node, reply.floorMs, reply.ceilingMs, reply.version];
      case 'quarantined':
        return [reply.kind, reply.leftMs, reply.reason];
      default:
        return [reply?.kind];
    }
  }

  async #renew(process: number, losesReply: boolean): Promise<unknown> {
    this.#losesReply = losesReply;
    const reply = await this.#fleets[process]?.renew(this.#grant(process)).catch((error: unknown) => {
      if (error instanceof LostReply) return error.reply;
      throw error;
    });
    this.#losesReply = false;
    if (Array.isArray(reply)) return reply[0] === 'renewed' ? [reply[0], reply[1], reply[4]] : [reply[0]];
    return reply?.kind === 'renewed' ? [reply.kind, reply.ceilingMs, reply.version] : [reply?.kind];
  }

  async #release(process: number): Promise<unknown> {
    const grant = this.#grant(process);
    const unmintedFromMs = Math.min(this.#world.now + 1, grant.ceilingMs);
    const reply = await this.#fleets[process]?.release(grant, unmintedFromMs);
    return [reply?.kind];
  }

  #grant(process: number) {
    const held = this.#world.processes[process]?.held;
    if (held === undefined) throw new Error(`Process ${process} holds nothing.`);
    return { ...held, floorMs: held.floor, ceilingMs: held.ceiling };
  }

  #newFleet(): NodeFleet {
    return new NodeFleet(
      leaseTerms({
        redis: this.#redis,
        namespace: `${this.#lane}.current`,
        layout: LAYOUT,
        allocatorId: 'model',
        holder: 'holder',
        now: () => this.#world.now,
      }),
    );
  }

  async #run(
    text: string,
    keyCount: number,
    rest: readonly (string | number)[],
    guard: string | undefined,
  ): Promise<unknown> {
    if (guard !== undefined && text.includes(guard)) this.isMutated = true;
    const changed = this.#changes.reduce((all, [from, to]) => all.replaceAll(from, () => to), text);
    const { run, offsetMs } = this.#world.current;
    const reply = await this.#client.eval(changed, keyCount, ...rest, run, this.#world.now + offsetMs);
    if (this.#losesReply) throw new LostReply(reply as unknown[]);
    return reply;
  }

  async #copy(from: Place, to: Place): Promise<void> {
    await this.#client.del(...this.#keysOf(to));
    for (const key of KEYS)
      await this.#client.copy(`{${this.#lane}.${from}}:${key}`, `{${this.#lane}.${to}}:${key}`);
  }

  #keysOf(place: Place): string[] {
    return KEYS.map((key) => `{${this.#lane}.${place}}:${key}`);
  }

  async #memory() {
    const [slots = '', grants = '', meta = ''] = this.#keysOf('current');
    const [scores, all, facts] = await Promise.all([
      this.#client.zrange(slots, 0, -1, 'WITHSCORES'),
      this.#client.hgetall(grants),
      this.#client.hgetall(meta),
    ]);
    const nodes = Array.from({ length: NODE_COUNT }, (_, node) => String(node));
    const { [`fresh:0-${NODE_COUNT - 1}`]: fresh, ...others } = facts;
    const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !AGREED.has(name)));
    return {
      slots: nodes.map((node) => (scores.includes(node) ? scores[scores.indexOf(node) + 1] : undefined)),
      grants: nodes.map((node) => all[node]),
      meta: sorted({ ...rest, ...(fresh !== undefined && { fresh }) }),
    };
  }
}

/** Settings that are the same for every process of the model. */
const AGREED = new Set(['layout', 'epochMs', 'allocatorId']);

class LostReply extends RedisOutcomeUnknownError {
  constructor(readonly reply: unknown[]) {
    super('The reply was lost.');
  }
}

const unknownScript = () => Promise.reject(new Error('NOSCRIPT scripts are sent whole'));

const sorted = (facts: Readonly<Record<string, unknown>>) =>
  Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .sort();

function writtenOut({ slots, grants, meta }: Memory) {
  return {
    slots: slots.map((ceiling) => (ceiling === undefined ? undefined : String(ceiling))),
    grants: grants.map(
      (grant) => grant && `${grant.token} ${grant.claim} ${grant.floor} ${grant.life} holder`,
    ),
    meta: sorted({ ...meta }),
  };
}

function essenceOf(reply: Reply): unknown[] {
  switch (reply.kind) {
    case 'granted':
      return [reply.kind, reply.node, reply.floor, reply.ceiling, reply.version];
    case 'renewed':
      return [reply.kind, reply.ceiling, reply.version];
    case 'quarantined':
      return [reply.kind, reply.leftMs, reply.reason];
    default:
      return [reply.kind];
  }
}
