import {
  emptyMemory,
  type Held,
  type Memory,
  QUARANTINE_MS,
  type Server,
  SKEW_MS,
  WINDOW_MS,
} from './lease-rules.js';

/*
 * Two Redis masters, one address, three processes, two nodes. Every event that can happen next is an action; what a
 * process does with a reply is what NodeLease does with it. Processes have the true time; the clock of the promoted
 * master is 1 s behind, that of one that returns may be 4 s behind, within the allowed skew, and that of either can jump by
 * 20 s or an hour.
 */

/** A process that was granted a node at least once. */
export interface Process {
  readonly version: number;
  readonly held: Held | undefined;
  readonly isCutOff: boolean;
  /** The address has moved to a master that may know less: it renews there before time passes. */
  readonly isDue: boolean;
}

/** The timestamps from <= t < to on a node, owned by one holder, living or not. */
interface Owned {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly claim: string;
}

export interface World {
  readonly now: number;
  readonly current: Server;
  /** The master that the current one replaced, as it was then. */
  readonly frozen: { readonly server: Server; readonly at: number } | undefined;
  readonly dump: { readonly memory: Memory; readonly at: number } | undefined;
  readonly processes: readonly (Process | undefined)[];
  readonly owned: readonly Owned[];
  /** Names that were given: tokens, runs. */
  readonly nameCount: number;
  readonly faultCount: number;
}

const PASSES = [2_000, 12_000, WINDOW_MS, 36_000] as const;
export type ProcessKind =
  | 'claim again'
  | 'renew'
  | 'renew, reply lost'
  | 'release'
  | 'end without release'
  | 'cut off'
  | 'reconnect';
export type ServerKind =
  | 'start a process'
  | 'start a process that trusts'
  | 'start a process that waits'
  | 'stop all cleanly'
  | 'promote'
  | 'promote from the dump'
  | 'resume the frozen master'
  | 'resume it with a slow clock'
  | 'promote it as a replica'
  | 'dump'
  | 'restore the dump'
  | 'restart'
  | 'restart from the dump'
  | 'restart empty'
  | 'delete all'
  | 'evict slots'
  | 'evict grants'
  | 'evict meta'
  | 'lose nodes'
  | 'clock forward'
  | 'clock forward by 20 s'
  | 'clock back';
export type Action =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: ProcessKind; readonly process: number }
  | { readonly kind: ServerKind };

/** What the model takes for granted. Each one that is not granted is a way to equal IDs that the README lists. */
export interface Assumptions {
  /** Holders reach a master that returns within 2 s. */
  readonly holdersReturn: boolean;
  /** A master that was replaced returns after a quarantine or later. */
  readonly absencesAreLong: boolean;
  /** Keys restored into a running Redis are older than a quarantine. */
  readonly restoredKeysAreOld: boolean;
  /** trustEmptyStore is set for the first start only. */
  readonly trustIsJustified: boolean;
  /** The clocks of Redis servers and processes differ by less than the 2 s that claims wait after an idle silence. */
  readonly clocksAreClose: boolean;
}

export const ALL_ASSUMED: Assumptions = {
  holdersReturn: true,
  absencesAreLong: true,
  restoredKeysAreOld: true,
  trustIsJustified: true,
  clocksAreClose: true,
};

export const NOTHING_ASSUMED: Assumptions = {
  holdersReturn: false,
  absencesAreLong: false,
  restoredKeysAreOld: false,
  trustIsJustified: false,
  clocksAreClose: false,
};

const START_MS = Date.UTC(2030, 0, 1);

/** An empty Redis and no process. */
export const emptyWorld: World = {
  now: START_MS,
  current: { run: 'run0', offsetMs: 0, memory: emptyMemory() },
  frozen: undefined,
  dump: undefined,
  processes: [undefined, undefined, undefined],
  owned: [],
  nameCount: 1,
  faultCount: 0,
};

/** What happens in a healthy fleet; everything else is a fault. */
export const ORDINARY: ReadonlySet<Action['kind']> = new Set([
  'pass',
  'start a process',
  'start a process that trusts',
  'start a process that waits',
  'claim again',
  'renew',
  'release',
  'end without release',
  'reconnect',
  'stop all cleanly',
  'dump',
]);

/** Which orders of events are explored. */
export interface Bounds {
  readonly depth: number;
  readonly faultMax: number;
  /** Default: every fault. */
  readonly faults?: ReadonlySet<Action['kind']>;
  readonly assumed: Assumptions;
}

/** A master is replaced, and returns. */
export const FAILOVERS: ReadonlySet<Action['kind']> = new Set(['promote', 'resume the frozen master']);
/** A master is replaced by one that knows less, perhaps after its clock has jumped. */
export const LOSSY_FAILOVERS: ReadonlySet<Action['kind']> = new Set([
  'dump',
  'promote from the dump',
  'promote it as a replica',
  'clock forward by 20 s',
]);

/** Older keys are restored into a running Redis. */
export const RESTORES: ReadonlySet<Action['kind']> = new Set(['dump', 'restore the dump']);

/** The actions that are possible within the bounds. */
export function actionsOf(world: World, { faultMax, faults, assumed }: Bounds): Action[] {
  const isFaultLeft = world.faultCount < faultMax;
  return allActionsOf(world, assumed).filter(({ kind }) =>
    ORDINARY.has(kind) && kind !== 'dump'
      ? true
      : (isFaultLeft || kind === 'dump') && (faults?.has(kind) ?? true),
  );
}

function allActionsOf(world: World, assumed: Assumptions): Action[] {
  const { processes, frozen, dump, now, current } = world;
  const actions: Action[] = [];
  const isAnyDue = processes.some((each) => each?.isDue);
  const isAnyCutOff = processes.some((each) => each?.isCutOff);
  if (!(assumed.holdersReturn && isAnyDue)) for (const ms of PASSES) actions.push({ kind: 'pass', ms });
  if (processes.includes(undefined)) {
    actions.push({ kind: 'start a process' });
    actions.push({ kind: 'start a process that waits' });
    if (!assumed.trustIsJustified) actions.push({ kind: 'start a process that trusts' });
  }
  for (const [process, each] of processes.entries()) {
    if (each === undefined) continue;
    if (!each.isCutOff) {
      if (each.held === undefined) actions.push({ kind: 'claim again', process });
      else
        for (const kind of ['renew', 'renew, reply lost', 'release'] as const)
          actions.push({ kind, process });
    }
    actions.push({ kind: 'end without release', process });
    if (each.isCutOff) actions.push({ kind: 'reconnect', process });
    else if (each.held !== undefined && !(assumed.holdersReturn && each.isDue))
      actions.push({ kind: 'cut off', process });
  }
  if (processes.some((each) => each?.held && !each.isCutOff)) actions.push({ kind: 'stop all cleanly' });
  const canReturn = !(assumed.holdersReturn && isAnyCutOff);
  if (frozen === undefined) actions.push({ kind: 'promote' });
  if (frozen !== undefined && canReturn && !(assumed.absencesAreLong && now - frozen.at <= QUARANTINE_MS)) {
    actions.push({ kind: 'resume the frozen master' });
    if (!assumed.clocksAreClose) actions.push({ kind: 'resume it with a slow clock' });
  }
  if (frozen !== undefined) actions.push({ kind: 'promote it as a replica' });
  actions.push({ kind: 'dump' }, { kind: 'restart' }, { kind: 'restart empty' }, { kind: 'delete all' });
  if (dump !== undefined) {
    actions.push({ kind: 'restart from the dump' });
    if (frozen === undefined) actions.push({ kind: 'promote from the dump' });
    if (!(assumed.restoredKeysAreOld && now - dump.at <= QUARANTINE_MS))
      actions.push({ kind: 'restore the dump' });
  }
  actions.push({ kind: 'evict slots' }, { kind: 'evict grants' }, { kind: 'evict meta' });
  actions.push({ kind: 'lose nodes' });
  const isRight = Math.abs(current.offsetMs) <= SKEW_MS;
  if (current.offsetMs <= 0) actions.push({ kind: 'clock forward' });
  if (isRight) actions.push({ kind: 'clock forward by 20 s' });
  if (current.offsetMs > 0 || isRight) actions.push({ kind: 'clock back' });
  return actions;
}

/** The property: whether two holders own the same timestamp on the same node. */
export function ownersMeet({ owned }: World): boolean {
  return owned.some((one, index) =>
    owned.some(
      (other, second) =>
        second > index && one.node === other.node && one.from < other.to && other.from < one.to,
    ),
  );
}
