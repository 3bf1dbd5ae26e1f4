import { after } from './events.js';
import type { Rules } from './lease-rules.js';
import {
  type Action,
  type Assumptions,
  actionsOf,
  type Bounds,
  emptyWorld,
  ownersMeet,
  type World,
} from './world.js';
import { keyOf } from './world-key.js';

/** What an exploration found. */
export interface Exploration {
  readonly depth: number;
  readonly faultMax: number;
  /** Distinct states before the last event, up to names, order of processes and the origin of time. */
  readonly stateCount: number;
  /** Actions tried: each of every state of less than the full depth. */
  readonly stepCount: number;
  /** Of processor time, with that of the garbage collector. */
  readonly seconds: number;
  /** The shortest order of events after which two holders own the same timestamp on a node. */
  readonly counterexample: readonly Action[] | undefined;
}

/** Every order begins with it. */
export const FIRST: Action = { kind: 'start a process that trusts' };

interface Reached {
  readonly world: World;
  readonly action: Action | undefined;
  readonly from: Reached | undefined;
}

/** Explores every order of at most `depth` events, of which at most `faultMax` are faults, the shortest first. */
export function explore(rules: Rules, bounds: Bounds): Exploration {
  const { depth, faultMax } = bounds;
  const started = process.cpuUsage();
  const first: Reached = { world: after(emptyWorld, FIRST, rules).world, action: undefined, from: undefined };
  const seen = new Set([keyOf(first.world)]);
  let stepCount = 0;
  let counterexample: Action[] | undefined;
  let frontier = [first];
  for (let level = 1; level <= depth && counterexample === undefined; level++) {
    const next: Reached[] = [];
    search: for (const reached of frontier) {
      for (const action of actionsOf(reached.world, bounds)) {
        stepCount++;
        const { world } = after(reached.world, action, rules);
        if (ownersMeet(world)) {
          counterexample = [...orderOf(reached), action];
          break search;
        }
        if (level === depth) continue;
        const key = keyOf(world);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ world, action, from: reached });
      }
    }
    frontier = next;
  }
  const { user, system } = process.cpuUsage(started);
  const seconds = (user + system) / 1e6;
  return { depth, faultMax, stateCount: seen.size, stepCount, seconds, counterexample };
}

function orderOf(reached: Reached): Action[] {
  const order: Action[] = [];
  for (let at: Reached | undefined = reached; at?.action !== undefined; at = at.from)
    order.unshift(at.action);
  return order;
}

/** Whether an order of events, all of which the assumptions allow, makes two holders own the same timestamp. */
export function leadsToEqualIds(order: readonly Action[], rules: Rules, assumed: Assumptions): boolean {
  let { world } = after(emptyWorld, FIRST, rules);
  const bounds = { depth: order.length, faultMax: order.length, assumed };
  for (const action of order) {
    const isAllowed = actionsOf(world, bounds).some((other) => described([other]) === described([action]));
    if (!isAllowed) return false;
    world = after(world, action, rules).world;
  }
  return ownersMeet(world);
}

/** What an exploration covered and found, as a line of text. */
export const reported = (name: string, found: Exploration): string =>
  `${name}: no two holders own the same (node, timestamp); ${found.depth} events, at most ${found.faultMax} of them faults: ` +
  `${found.stateCount} states, ${found.stepCount} steps, ${found.seconds.toFixed(1)} s of processor time: ` +
  `${found.counterexample === undefined ? 'holds' : `broken by: ${described(found.counterexample)}`}\n`;

/** An order of events as a line of text. */
export const described = (order: readonly Action[]): string =>
  order
    .map((action) =>
      action.kind === 'pass'
        ? `${action.ms / 1_000} s pass`
        : 'process' in action
          ? `process ${action.process}: ${action.kind}`
          : action.kind,
    )
    .join(' | ');
