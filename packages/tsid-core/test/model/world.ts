import {
  claim,
  emptyMemory,
  type Held,
  type Memory,
  QUARANTINE_MS,
  type Reply,
  type Rules,
  release,
  renew,
  type Server,
  SKEW_MS,
} from './lease-rules.js';

/*
 * Two Redis masters, one address, three processes, two nodes. Every event that can happen next is an action; what a
 * process does with a reply is what NodeLease does with it. Processes have the true time; the clock of the promoted
 * master is 4 s behind, within the allowed skew, and that of either master can jump by an hour.
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

const PASSES = [2_000, 12_000, 36_000] as const;
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
  | 'dump'
  | 'restore the dump'
  | 'restart'
  | 'restart from the dump'
  | 'restart empty'
  | 'delete all'
  | 'evict slots'
  | 'evict grants'
  | 'evict meta'
  | 'clock forward'
  | 'clock back';
export type Action =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: ProcessKind; readonly process: number }
  | { readonly kind: ServerKind };

/** What the model takes for granted. Each one that is not granted is a way to equal IDs that the README lists. */
export interface Assumptions {
  /** Holders reach a master that returns, or whose keys were restored, within 2 s. */
  readonly holdersReturn: boolean;
  /** A master that was replaced returns after a quarantine or later. */
  readonly absencesAreLong: boolean;
  /** Keys restored into a running Redis are older than a quarantine. */
  readonly restoredKeysAreOld: boolean;
  /** trustEmptyRedis is set for the first start only. */
  readonly trustIsJustified: boolean;
}

export const ALL_ASSUMED: Assumptions = {
  holdersReturn: true,
  absencesAreLong: true,
  restoredKeysAreOld: true,
  trustIsJustified: true,
};

export const NOTHING_ASSUMED: Assumptions = {
  holdersReturn: false,
  absencesAreLong: false,
  restoredKeysAreOld: false,
  trustIsJustified: false,
};

const START_MS = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const PROMOTED_OFFSET_MS = -4_000;

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
const ORDINARY: ReadonlySet<Action['kind']> = new Set([
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

/** The actions that are possible within the bounds. */
export function actionsOf(world: World, { faultMax, faults, assumed }: Bounds): Action[] {
  const isFaultLeft = world.faultCount < faultMax;
  return allActionsOf(world, assumed).filter(
    ({ kind }) =>
      (ORDINARY.has(kind) && !(kind === 'dump' && faults !== undefined)) ||
      (isFaultLeft && (faults?.has(kind) ?? true)),
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
  else if (canReturn && !(assumed.absencesAreLong && now - frozen.at <= QUARANTINE_MS))
    actions.push({ kind: 'resume the frozen master' });
  actions.push({ kind: 'dump' }, { kind: 'restart' }, { kind: 'restart empty' }, { kind: 'delete all' });
  if (dump !== undefined) {
    actions.push({ kind: 'restart from the dump' });
    if (frozen === undefined) actions.push({ kind: 'promote from the dump' });
    if (canReturn && !(assumed.restoredKeysAreOld && now - dump.at <= QUARANTINE_MS))
      actions.push({ kind: 'restore the dump' });
  }
  actions.push({ kind: 'evict slots' }, { kind: 'evict grants' }, { kind: 'evict meta' });
  const isRight = Math.abs(current.offsetMs) <= SKEW_MS;
  if (current.offsetMs <= 0) actions.push({ kind: 'clock forward' });
  if (current.offsetMs > 0 || isRight) actions.push({ kind: 'clock back' });
  return actions;
}

/** The world after an action, and what a script replied if it ran one. */
export interface Next {
  readonly world: World;
  readonly reply?: Reply;
}

export function after(before: World, action: Action, rules: Rules): Next {
  const isFault = !ORDINARY.has(action.kind);
  const world = isFault ? { ...before, faultCount: before.faultCount + 1 } : before;
  const { current, frozen, dump, now, nameCount } = world;
  const remembering = (memory: Memory): Next => ({ world: { ...world, current: { ...current, memory } } });
  const newRun = (memory: Memory): Next => ({
    world: { ...world, current: { ...current, run: `run${nameCount}`, memory }, nameCount: nameCount + 1 },
  });
  const due = (next: World): Next => ({
    world: {
      ...next,
      processes: next.processes.map((each) => each && { ...each, isDue: each.held !== undefined }),
    },
  });
  const promoted = (memory: Memory): Next => ({
    world: {
      ...world,
      frozen: { server: current, at: now },
      current: { run: `run${nameCount}`, offsetMs: PROMOTED_OFFSET_MS, memory },
      nameCount: nameCount + 1,
    },
  });
  switch (action.kind) {
    case 'pass':
      return { world: { ...world, now: now + action.ms } };
    case 'start a process':
      return started(world, false, rules);
    case 'start a process that trusts':
      return started(world, true, rules);
    case 'start a process that waits':
    case 'stop all cleanly': {
      let next: Next = { world };
      for (const part of partsOf(world, action, rules)) next = after(next.world, part, rules);
      return next;
    }
    case 'promote':
      return promoted(current.memory);
    case 'promote from the dump':
      return promoted(dump?.memory ?? emptyMemory());
    case 'resume the frozen master':
      return due({ ...world, current: frozen?.server ?? current, frozen: undefined });
    case 'dump':
      return { world: { ...world, dump: { memory: current.memory, at: now } } };
    case 'restore the dump':
      return due({ ...world, current: { ...current, memory: dump?.memory ?? emptyMemory() } });
    case 'restart':
      return newRun(current.memory);
    case 'restart from the dump':
      return newRun(dump?.memory ?? emptyMemory());
    case 'restart empty':
      return newRun(emptyMemory());
    case 'delete all':
      return remembering(emptyMemory());
    case 'evict slots':
      return remembering({ ...current.memory, slots: emptyMemory().slots });
    case 'evict grants':
      return remembering({ ...current.memory, grants: emptyMemory().grants });
    case 'evict meta':
      return remembering({ ...current.memory, meta: {} });
    case 'clock forward':
      return {
        world: { ...world, current: { ...current, offsetMs: current.offsetMs < -SKEW_MS ? 0 : HOUR_MS } },
      };
    case 'clock back':
      return {
        world: { ...world, current: { ...current, offsetMs: current.offsetMs > SKEW_MS ? 0 : -HOUR_MS } },
      };
    default:
      return processAfter(world, action, rules);
  }
}

/** Pause between two claims of a process that waits: less than half a quarantine. */
const LOOK_MS = 17_000;

/** The single events of which an action consists. A process waits only as long as time may pass. */
export function partsOf(world: World, action: Action, rules: Rules): Action[] {
  const parts: Action[] = [];
  if (action.kind === 'stop all cleanly') {
    for (const [process, each] of world.processes.entries())
      if (each?.held && !each.isCutOff) parts.push({ kind: 'release', process });
    return parts;
  }
  if (action.kind !== 'start a process that waits') return [action];
  const start: Action = { kind: 'start a process' };
  parts.push(start);
  let next = after(world, start, rules);
  const mayPass = !world.processes.some((each) => each?.isDue);
  while (mayPass && next.reply?.kind === 'quarantined') {
    const pause: Action = { kind: 'pass', ms: Math.min(next.reply.leftMs + 1, LOOK_MS) };
    parts.push(pause, start);
    next = after(after(next.world, pause, rules).world, start, rules);
  }
  return parts;
}

function processAfter(
  world: World,
  { kind, process }: Extract<Action, { readonly process: number }>,
  rules: Rules,
): Next {
  const { current, now, nameCount } = world;
  const each = world.processes[process];
  if (each === undefined) throw new Error(`Process ${process} is not there.`);
  const { held, version } = each;
  switch (kind) {
    case 'claim again':
      return claimed(world, process, { version, isTrusted: false }, rules);
    case 'cut off':
    case 'reconnect':
      return { world: withProcess(world, process, { ...each, isCutOff: kind === 'cut off' }) };
    case 'end without release':
      return { world: ended(withProcess(world, process, undefined), held?.claim, now + 1) };
    default:
  }
  if (held === undefined) throw new Error(`Process ${process} holds nothing.`);
  if (kind === 'release') {
    const unmintedFrom = Math.min(now + 1, held.ceiling);
    const { memory, reply } = release(current, now, held, unmintedFrom, version, rules);
    const rest = ended(withProcess(world, process, undefined), held.claim, unmintedFrom);
    return { world: { ...rest, current: { ...current, memory } }, reply };
  }
  const { memory, reply } = renew(current, now, held, version, rules);
  const replied = { ...world, current: { ...current, memory } };
  if (kind === 'renew, reply lost') return { world: replied, reply };
  if (reply.kind === 'renewed') {
    const { ceiling } = reply;
    const next = {
      version: Math.max(version, reply.version),
      held: { ...held, ceiling, token: held.nextToken, nextToken: `t${nameCount}` },
      isCutOff: false,
      isDue: false,
    };
    const owned = replied.owned.map((mine) => (mine.claim === held.claim ? { ...mine, to: ceiling } : mine));
    return { world: { ...withProcess(replied, process, next), owned, nameCount: nameCount + 1 }, reply };
  }
  // A window is used up unless another process has the node.
  const isDropped = reply.kind === 'lost' || now >= held.ceiling;
  const kept = { ...each, held: isDropped ? undefined : held, isDue: false };
  const next = withProcess(replied, process, kept);
  return { world: isDropped ? ended(next, held.claim, now + 1) : next, reply };
}

function started(world: World, isTrusted: boolean, rules: Rules): Next {
  return claimed(world, world.processes.indexOf(undefined), { version: 0, isTrusted }, rules);
}

function claimed(
  world: World,
  process: number,
  { version, isTrusted }: { readonly version: number; readonly isTrusted: boolean },
  rules: Rules,
): Next {
  const { current, now, nameCount } = world;
  const name = `t${nameCount}`;
  const { memory, reply } = claim(current, now, { claim: name, knownVersion: version, isTrusted }, rules);
  const replied = { ...world, current: { ...current, memory }, nameCount: nameCount + 2 };
  if (reply.kind !== 'granted') return { world: replied, reply };
  const { node, floor, ceiling } = reply;
  const next: Process = {
    version: Math.max(version, reply.version),
    held: { node, floor, ceiling, claim: name, token: name, nextToken: `t${nameCount + 1}` },
    isCutOff: false,
    isDue: false,
  };
  const owned = [...replied.owned, { node, from: floor, to: ceiling, claim: name }];
  return { world: { ...withProcess(replied, process, next), owned }, reply };
}

function withProcess(world: World, process: number, next: Process | undefined): World {
  return { ...world, processes: world.processes.with(process, next) };
}

/** From `to` on, a holder mints nothing. */
function ended(world: World, claimOfHolder: string | undefined, to: number): World {
  const owned = world.owned.map((mine) =>
    mine.claim === claimOfHolder ? { ...mine, to: Math.min(mine.to, Math.max(mine.from, to)) } : mine,
  );
  return { ...world, owned };
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
