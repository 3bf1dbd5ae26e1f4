import { defineLayout } from '../../src/index.js';
import type { LeaseStore, RenewReply } from '../../src/node-lease/fleet/lease-store.js';
import { NodeFleet } from '../../src/node-lease/fleet/node-fleet.js';
import { leaseTerms } from '../../src/node-lease/lease-options.js';
import { after, isOver, partsOf } from './events.js';
import { isAsLeft, type Memory, type Reply, type Rules } from './lease-rules.js';
import { type Action, emptyWorld, type World } from './world.js';

/*
 * The same order of events on a real store. Every claim, renewal and release goes through NodeFleet and runs the real
 * script or function; afterwards the reply and all that the store remembers must be those of the model.
 */

const LAYOUT = defineLayout({ timeBits: 42, nodeBits: 1, sequenceBits: 21, epoch: 0 });
export type Place = 'current' | 'frozen' | 'dump';
export type Part = 'slots' | 'grants' | 'meta' | 'nodes';

/** The server that a move meets. */
export interface MetServer {
  readonly run: string;
  readonly nowMs: number;
  /** Whether it knows that its memory is as the last move left it. */
  readonly isAsLeft: boolean;
}

/** A store that takes its clock and its identity from the test, and whose memory can be copied and lost. */
export interface ReplayedStore {
  readonly store: LeaseStore;
  /** Whether any text contained the mutated part. */
  readonly isMutated: boolean;
  /** Which server the next moves meet. */
  be(server: MetServer): Promise<void>;
  copy(from: Place, to: Place): Promise<void>;
  /** Undefined: everything. `nodes`: the windows and the grants. */
  forget(place: Place, part?: Part): Promise<void>;
  /** What the current server remembers. */
  remembered(): Promise<unknown>;
  /** What it should remember, in the same words. */
  expected(memory: Memory): unknown;
}

/** The first difference between the model and the store. */
export interface Difference {
  readonly order: readonly Action[];
  readonly model: unknown;
  readonly store: unknown;
}

/** How many orders are replayed at a time: one waits for the store most of the time. */
const LANE_COUNT = 8;

/** Replays orders until one differs, or all are done. */
export async function replayAll(
  storeOf: (lane: string) => Promise<ReplayedStore>,
  orders: Iterable<readonly Action[]>,
  rules: Rules,
): Promise<{
  difference: Difference | undefined;
  orderCount: number;
  stepCount: number;
  isMutated: boolean;
}> {
  const queue = orders[Symbol.iterator]();
  let difference: Difference | undefined;
  let orderCount = 0;
  const stores = await Promise.all(Array.from({ length: LANE_COUNT }, (_, lane) => storeOf(`lane${lane}`)));
  const lanes = stores.map((replayed) => new Replay(replayed, rules));
  await Promise.all(
    lanes.map(async (replay) => {
      for (let next = queue.next(); !next.done && difference === undefined; next = queue.next()) {
        orderCount++;
        // In two steps: other lanes may find a difference meanwhile.
        const found = await replay.play(next.value);
        difference ??= found;
      }
    }),
  );
  const stepCount = lanes.reduce((sum, lane) => sum + lane.stepCount, 0);
  return { difference, orderCount, stepCount, isMutated: stores.some(({ isMutated }) => isMutated) };
}

/** Replays orders of events on one store. */
class Replay {
  readonly #replayed: ReplayedStore;
  readonly #rules: Rules;
  #world: World = emptyWorld;
  #losesReply = false;
  #fleets: (NodeFleet | undefined)[] = [];
  stepCount = 0;

  constructor(replayed: ReplayedStore, rules: Rules) {
    this.#replayed = replayed;
    this.#rules = rules;
  }

  /** Replays one order from an empty store. Returns the first difference. */
  async play(order: readonly Action[]): Promise<Difference | undefined> {
    for (const place of ['current', 'frozen', 'dump'] as const) await this.#replayed.forget(place);
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
      const { run, offsetMs, memory: met } = this.#world.current;
      const nowMs = this.#world.now + offsetMs;
      await this.#replayed.be({ run, nowMs, isAsLeft: isAsLeft(met, nowMs) });
      const replied = await this.#act(action);
      this.#world = world;
      this.stepCount++;
      const { memory } = world.current;
      const model = { reply: reply && essenceOf(reply), memory: this.#replayed.expected(memory) };
      const store = { reply: reply && replied, memory: await this.#replayed.remembered() };
      if (JSON.stringify(model) !== JSON.stringify(store))
        return { order: parts.slice(0, index + 1), model, store };
    }
    return undefined;
  }

  async #act(action: Action): Promise<unknown> {
    const { copy, forget } = this.#replayed;
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
        return copy('current', 'frozen');
      case 'promote from the dump':
        await copy('current', 'frozen');
        return copy('dump', 'current');
      case 'resume the frozen master':
      case 'resume it with a slow clock':
        return copy('frozen', 'current');
      case 'dump':
        return copy('current', 'dump');
      case 'restore the dump':
      case 'restart from the dump':
        return copy('dump', 'current');
      case 'restart empty':
      case 'delete all':
        return forget('current');
      case 'lose nodes':
        return forget('current', 'nodes');
      case 'evict slots':
      case 'evict grants':
      case 'evict meta':
        return forget('current', action.kind.slice('evict '.length) as Part);
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
    if (isOver(this.#world, process)) return undefined;
    this.#losesReply = losesReply;
    const reply = await this.#fleets[process]?.renew(this.#grant(process)).catch((error: unknown) => {
      if (error instanceof LostReply) return error.reply;
      throw error;
    });
    this.#losesReply = false;
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
    const { store } = this.#replayed;
    const renew: LeaseStore['renew'] = async (request) => {
      const reply = await store.renew(request);
      if (this.#losesReply) throw new LostReply(reply);
      return reply;
    };
    const now = () => this.#world.now;
    const terms = { store: { ...store, renew }, layout: LAYOUT, allocatorId: 'model', holder: 'holder', now };
    return new NodeFleet(leaseTerms(terms));
  }
}

class LostReply extends Error {
  constructor(readonly reply: RenewReply) {
    super('The reply was lost.');
  }
}

/** The facts that are known, as sorted text. */
export const sorted = (facts: Readonly<Record<string, unknown>>) =>
  Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .sort();

/** The windows and grants by node, as text. */
export function writtenNodes({ slots, grants }: Memory) {
  return {
    slots: slots.map((ceiling) => (ceiling === undefined ? undefined : String(ceiling))),
    grants: grants.map(
      (grant) => grant && `${grant.token} ${grant.claim} ${grant.floor} ${grant.life} holder`,
    ),
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
