import {
  claim,
  emptyMemory,
  type Memory,
  type Reply,
  type Rules,
  release,
  renew,
  type Server,
  SKEW_MS,
} from './lease-rules.js';
import { type Action, ORDINARY, type Process, type World } from './world.js';

/* What each event does to the world: to the servers, their memories, and the processes. */

const HOUR_MS = 3_600_000;
const PROMOTED_OFFSET_MS = -1_000;
const SLOW_OFFSET_MS = -4_000;
const JUMP_MS = 20_000;

/** The world after an action, and what a script replied if it ran one. */
export interface Next {
  readonly world: World;
  readonly reply?: Reply;
}

export function after(before: World, action: Action, rules: Rules): Next {
  const isFault = !ORDINARY.has(action.kind);
  const world = isFault ? { ...before, faultCount: before.faultCount + 1 } : before;
  const { current, frozen, dump, now, nameCount } = world;
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
      return promoted(world, current.memory);
    case 'promote from the dump':
      return promoted(world, dump?.memory ?? emptyMemory());
    case 'resume the frozen master':
      return returned(world, frozen?.server ?? current);
    case 'resume it with a slow clock':
      return returned(world, { ...(frozen?.server ?? current), offsetMs: SLOW_OFFSET_MS });
    case 'promote it as a replica': {
      const { run, offsetMs } = frozen?.server ?? current;
      const again = rules.noticesPromotions ? run.replace(/(p.*)?$/, `p${nameCount}`) : run;
      const server = { run: again, offsetMs, memory: current.memory };
      return { world: { ...world, current: server, frozen: undefined, nameCount: nameCount + 1 } };
    }
    case 'dump':
      return { world: { ...world, dump: { memory: current.memory, at: now } } };
    case 'restore the dump':
      return remembering(world, { ...(dump?.memory ?? emptyMemory()), isCopy: true });
    case 'restart':
      return newRun(world, current.memory);
    case 'restart from the dump':
      return newRun(world, dump?.memory ?? emptyMemory());
    case 'restart empty':
      return newRun(world, emptyMemory());
    case 'delete all':
      return remembering(world, emptyMemory());
    case 'evict slots':
      return remembering(world, { ...current.memory, slots: emptyMemory().slots });
    case 'evict grants':
      return remembering(world, { ...current.memory, grants: emptyMemory().grants });
    case 'lose nodes':
      return remembering(world, { ...emptyMemory(), meta: current.memory.meta });
    case 'evict meta':
      return remembering(world, { ...current.memory, meta: {} });
    case 'clock forward':
      return {
        world: { ...world, current: { ...current, offsetMs: current.offsetMs < -SKEW_MS ? 0 : HOUR_MS } },
      };
    case 'clock forward by 20 s':
      return { world: { ...world, current: { ...current, offsetMs: JUMP_MS } } };
    case 'clock back':
      return {
        world: { ...world, current: { ...current, offsetMs: current.offsetMs > SKEW_MS ? 0 : -HOUR_MS } },
      };
    default:
      return processAfter(world, action, rules);
  }
}

// Functions of the module: tsx names each function again whenever it is created, which takes longer than these do.

const remembering = (world: World, memory: Memory): Next => ({
  world: { ...world, current: { ...world.current, memory } },
});

const newRun = (world: World, memory: Memory): Next => ({
  world: {
    ...world,
    current: { ...world.current, run: `run${world.nameCount}`, memory },
    nameCount: world.nameCount + 1,
  },
});

const returned = (world: World, server: Server): Next => ({
  world: {
    ...world,
    current: server,
    frozen: undefined,
    processes: world.processes.map((each) => each && { ...each, isDue: each.held !== undefined }),
  },
});

const promoted = (world: World, memory: Memory): Next => ({
  world: {
    ...world,
    frozen: { server: world.current, at: world.now },
    current: { run: `run${world.nameCount}`, offsetMs: PROMOTED_OFFSET_MS, memory },
    nameCount: world.nameCount + 1,
  },
});

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
    const { memory, reply } = release(
      current,
      now,
      { ...held, unmintedFrom },
      { knownVersion: version, rules },
    );
    const rest = ended(withProcess(world, process, undefined), held.claim, unmintedFrom);
    return { world: { ...rest, current: { ...current, memory } }, reply };
  }
  // A window is used up unless another process has the node.
  const dropped = (from: World) =>
    ended(withProcess(from, process, { ...each, held: undefined, isDue: false }), held.claim, now + 1);
  if (isOver(world, process) && !rules.revives) return { world: dropped(world) };
  const { memory, reply } = renew(current, now, held, { knownVersion: version, rules });
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
  if (reply.kind === 'lost' || isOver(world, process)) return { world: dropped(replied), reply };
  return { world: withProcess(replied, process, { ...each, isDue: false }), reply };
}

/** Whether the window of a process has ended by its clock: then it asks no store to renew it. */
export function isOver({ now, processes }: World, process: number): boolean {
  return now >= (processes[process]?.held?.ceiling ?? now);
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
