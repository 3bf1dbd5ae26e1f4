/*
 * The scripts of the node lease as pure functions, statement by statement: what Redis remembers, and what a claim, a
 * renewal and a release do to it. Settings that never differ in the model (layout, epoch, allocator, visible keys) are
 * left out. The replay compares every field below with a real Redis.
 */

export const WINDOW_MS = 30_000;
export const SKEW_MS = 5_000;
export const QUARANTINE_MS = WINDOW_MS + SKEW_MS;
export const NODE_COUNT = 2;

export interface Grant {
  readonly token: string;
  readonly claim: string;
  readonly floor: number;
  readonly life: string;
}

export interface Meta {
  run?: string;
  slotCount?: number;
  grantCount?: number;
  life?: string;
  version?: number;
  touched?: number;
  safeAfter?: number;
  reason?: string;
  quarantineMs?: number;
  /** When a script changed these facts last. */
  written?: number;
  /** All nodes from here on were used. */
  fresh?: number;
}

/** The three keys, by node. An empty meta is a missing key. */
export interface Memory {
  readonly slots: (number | undefined)[];
  readonly grants: (Grant | undefined)[];
  readonly meta: Meta;
  /** Whether they were restored, and no script has written since. */
  readonly isCopy?: boolean;
}

/** A Redis process with what it remembers. */
export interface Server {
  /** The name of the process and, once it was promoted, of the promotion: `run0` or `run0p5`. */
  readonly run: string;
  readonly offsetMs: number;
  readonly memory: Memory;
}

/** Which rules of the scripts apply, so that earlier ones can be explored too. */
export interface Rules {
  /** How long claims wait after a silence of a fleet that released all nodes; 0 for not at all. */
  readonly idleWaitMs: number;
  /** Whether a claim that a quarantine refused ends a silence. */
  readonly refusalIsContact: boolean;
  /** Whether a quarantine that opened under a wrong clock opens again when the clock is right. */
  readonly reopens: boolean;
  /** Whether a window that has ended, or soon will, can be reported to a master that may know less. */
  readonly revives: boolean;
  /** Whether a wrong clock extends a window no further than that of its holder does. */
  readonly boundsExtensions: boolean;
  /** Whether a silence of keys that were restored is that of an idle fleet. */
  readonly trustsCopies: boolean;
  /** Whether a master that was a replica meanwhile is another one than before. */
  readonly noticesPromotions: boolean;
}

export const CURRENT_RULES: Rules = {
  idleWaitMs: 2_000,
  refusalIsContact: true,
  reopens: true,
  revives: false,
  boundsExtensions: true,
  trustsCopies: false,
  noticesPromotions: true,
};
/** Those under which a fleet that stopped cleanly before a failover and failback minted equal IDs. */
export const RULES_OF_1DDD5BF: Rules = {
  idleWaitMs: 0,
  refusalIsContact: false,
  reopens: false,
  revives: true,
  boundsExtensions: false,
  trustsCopies: true,
  noticesPromotions: false,
};

export const emptyMemory = (): Memory => ({
  slots: Array(NODE_COUNT).fill(undefined),
  grants: Array(NODE_COUNT).fill(undefined),
  meta: {},
});

/** A copy that a script changes. */
type Changed = { -readonly [Field in keyof Memory]: Memory[Field] };

export const copyOf = ({ slots, grants, meta, isCopy = false }: Memory): Changed => ({
  slots: [...slots],
  grants: [...grants],
  meta: { ...meta },
  isCopy,
});

/** What Redis says of keys that were restored: they were touched just now. It may be wrong by two seconds. */
export const isAsLeft = ({ isCopy, meta }: Memory, now: number): boolean =>
  !isCopy || now - (meta.written ?? 0) <= 2_000;

/** Who calls, as the scripts see it. */
export interface Caller {
  readonly rules: Rules;
  readonly knownVersion: number;
  /** undefined for a release. */
  readonly quarantineMs: number | undefined;
  readonly isTrusted: boolean;
  readonly isClockRight: boolean;
}

interface Remembered {
  version: number;
  touched: number;
  safeAfter: number;
  agreedMs: number;
  reason: string;
  life: string;
}

const countOf = (entries: readonly unknown[]) => entries.filter((entry) => entry !== undefined).length;

/** The common start of all scripts. Changes `memory`. */
function remember(run: string, memory: Changed, now: number, caller: Caller): Remembered {
  const { slots, grants, meta } = memory;
  const { rules } = caller;
  let life = meta.life === undefined || !meta.life.startsWith(`${run}.`) ? run : meta.life;
  const version = meta.version ?? 0;
  let touched = meta.touched ?? 0;
  let safeAfter = meta.safeAfter ?? 0;
  let reason = meta.reason ?? 'RESTARTED';
  let agreedMs = meta.quarantineMs ?? 0;
  const lengthMs = agreedMs > 0 ? agreedMs : QUARANTINE_MS;
  const happened = whatHappened();
  if (happened !== undefined) {
    const isVouchedFor = caller.isTrusted && ['EMPTY', 'RESTARTED', 'IDLE'].includes(happened);
    safeAfter = isVouchedFor
      ? now
      : now + (happened === 'IDLE' ? Math.min(lengthMs, rules.idleWaitMs) : lengthMs);
    reason = happened;
    life = `${run}.${now}`;
    touched = caller.isClockRight || !rules.reopens ? now : 0;
    Object.assign(meta, {
      run,
      slotCount: countOf(slots),
      grantCount: countOf(grants),
      life,
      touched,
      safeAfter,
      reason,
    });
    written(memory, now);
    delete meta.fresh;
  }
  if (caller.knownVersion > 0 && caller.quarantineMs !== undefined) {
    if (agreedMs === 0) {
      if (now < safeAfter) safeAfter += caller.quarantineMs - QUARANTINE_MS;
      agreedMs = caller.quarantineMs;
    }
    if (now < safeAfter && reason === 'EMPTY') reason = 'ENTRIES_LOST';
    Object.assign(meta, { quarantineMs: agreedMs, safeAfter, reason });
  }
  return { version, touched, safeAfter, agreedMs, reason, life };

  function whatHappened(): string | undefined {
    if (meta.run === undefined) {
      const isEmpty = countOf(slots) === 0 && countOf(grants) === 0 && caller.knownVersion === 0;
      return isEmpty ? 'EMPTY' : 'ENTRIES_LOST';
    }
    if (meta.run !== run) return 'RESTARTED';
    if (meta.slotCount !== countOf(slots) || meta.grantCount !== countOf(grants)) return 'ENTRIES_LOST';
    const isOpen = now < safeAfter;
    if (version < caller.knownVersion && (!isOpen || reason === 'IDLE')) return 'ROLLED_BACK';
    if (isOpen || !caller.isClockRight) return undefined;
    if (rules.reopens && touched === 0) return reason;
    if (now - touched <= lengthMs) return undefined;
    const isHeld = slots.some(
      (ceiling, node) => (ceiling ?? 0) > touched && (grants[node]?.token ?? '-') !== '-',
    );
    if (isHeld) return 'SILENT';
    if (!rules.trustsCopies && !isAsLeft(memory, now)) return 'ROLLED_BACK';
    return rules.idleWaitMs > 0 ? 'IDLE' : undefined;
  }
}

function written(memory: Changed, now: number): void {
  memory.meta.written = now;
  memory.isCopy = false;
}

function touch(memory: Changed, now: number, caller: Caller, known: Remembered): number {
  const version = Math.max(known.version, caller.knownVersion) + 1;
  if (caller.isClockRight) known.touched = now;
  const { slots, grants, meta } = memory;
  const { touched } = known;
  Object.assign(meta, { slotCount: countOf(slots), grantCount: countOf(grants), version, touched });
  if (caller.isClockRight || isAsLeft(memory, now)) written(memory, now);
  return version;
}

export type Reply =
  | {
      readonly kind: 'granted';
      readonly node: number;
      readonly floor: number;
      readonly ceiling: number;
      readonly version: number;
    }
  | { readonly kind: 'renewed'; readonly ceiling: number; readonly version: number }
  | { readonly kind: 'quarantined'; readonly leftMs: number; readonly reason: string }
  | { readonly kind: 'clock' | 'exhausted' | 'lost' | 'ended' | 'released' };

/** A new state of the server, and its reply. */
export interface Step {
  readonly memory: Memory;
  readonly reply: Reply;
}

export function claim(
  server: Server,
  nowMs: number,
  asked: { claim: string; knownVersion: number; isTrusted: boolean },
  rules: Rules,
): Step {
  const now = nowMs + server.offsetMs;
  if (Math.abs(nowMs - now) > SKEW_MS) return { memory: server.memory, reply: { kind: 'clock' } };
  const memory = copyOf(server.memory);
  const caller: Caller = { ...asked, rules, quarantineMs: QUARANTINE_MS, isClockRight: true };
  const known = remember(server.run, memory, now, caller);
  const { slots, grants, meta } = memory;
  if (asked.isTrusted && known.reason === 'EMPTY' && now < known.safeAfter) {
    known.safeAfter = now;
    meta.safeAfter = now;
  }
  if (now < known.safeAfter) {
    if (rules.refusalIsContact) {
      meta.touched = now;
      written(memory, now);
    }
    return { memory, reply: { kind: 'quarantined', leftMs: known.safeAfter - now, reason: known.reason } };
  }
  const node = nodeToGrant();
  if (node === undefined) return { memory, reply: { kind: 'exhausted' } };
  const ceiling = now + WINDOW_MS;
  slots[node] = ceiling;
  grants[node] = { token: asked.claim, claim: asked.claim, floor: now, life: known.life };
  const version = touch(memory, now, caller, known);
  meta.quarantineMs = Math.max(known.agreedMs, QUARANTINE_MS);
  return { memory, reply: { kind: 'granted', node, floor: now, ceiling, version } };

  function nodeToGrant(): number | undefined {
    const start = meta.fresh ?? NODE_COUNT;
    for (let node = start - 1; node >= 0; node--) {
      meta.fresh = node;
      if (slots[node] === undefined) return node;
    }
    let oldest: number | undefined;
    for (let node = 0; node < NODE_COUNT; node++) {
      const ceiling = slots[node] ?? Number.POSITIVE_INFINITY;
      if (ceiling <= now && (oldest === undefined || ceiling < (slots[oldest] ?? 0))) oldest = node;
    }
    return oldest;
  }
}

/** A holder, apart from what it holds. */
interface Asker {
  readonly knownVersion: number;
  readonly rules: Rules;
}

/** What a holder sends with a renewal or a release. */
export interface Held {
  readonly node: number;
  readonly floor: number;
  readonly ceiling: number;
  readonly claim: string;
  readonly token: string;
  readonly nextToken: string;
}

export function renew(server: Server, nowMs: number, held: Held, { knownVersion, rules }: Asker): Step {
  const now = nowMs + server.offsetMs;
  const memory = copyOf(server.memory);
  const isClockRight = Math.abs(nowMs - now) <= SKEW_MS;
  const caller = { knownVersion, rules, quarantineMs: QUARANTINE_MS, isTrusted: false, isClockRight };
  const known = remember(server.run, memory, now, caller);
  const { slots, grants, meta } = memory;
  const { node, token, nextToken } = held;
  const grant = grants[node];
  const ceiling = slots[node] ?? 0;
  const isKnown = grant?.token === token || grant?.token === nextToken;
  const reply = (kind: 'lost' | 'ended'): Step => ({ memory, reply: { kind } });
  if (grant && (grant.life === known.life || ceiling >= held.ceiling) && !isKnown) return reply('lost');
  if (grant?.life === known.life && ceiling > 0) {
    if (now >= ceiling) return reply('ended');
  } else {
    if (now >= known.safeAfter) return reply('lost');
    if (now + (rules.revives ? 0 : SKEW_MS) >= held.ceiling) return reply('ended');
    if (ceiling > held.ceiling && !isKnown) return reply('lost');
  }
  const justified = isClockRight || !rules.boundsExtensions ? now : Math.min(now, nowMs);
  const extended = Math.max(ceiling, held.ceiling, justified + WINDOW_MS);
  slots[node] = extended;
  grants[node] = { token: nextToken, claim: held.claim, floor: held.floor, life: known.life };
  const version = touch(memory, now, caller, known);
  const quarantineMs = Math.max(known.agreedMs, QUARANTINE_MS);
  if (now < known.safeAfter) meta.safeAfter = known.safeAfter - known.agreedMs + quarantineMs;
  meta.quarantineMs = quarantineMs;
  return { memory, reply: { kind: 'renewed', ceiling: extended, version } };
}

export function release(
  server: Server,
  nowMs: number,
  held: Held & { readonly unmintedFrom: number },
  { knownVersion, rules }: Asker,
): Step {
  const now = nowMs + server.offsetMs;
  const memory = copyOf(server.memory);
  const caller = { knownVersion, rules, quarantineMs: undefined, isTrusted: false, isClockRight: false };
  const known = remember(server.run, memory, now, caller);
  const { slots, grants } = memory;
  const grant = grants[held.node];
  const ceiling = slots[held.node];
  if (!grant || ceiling === undefined) return { memory, reply: { kind: 'lost' } };
  if (grant.token !== held.token && grant.token !== held.nextToken)
    return { memory, reply: { kind: 'lost' } };
  slots[held.node] = Math.min(ceiling, Math.max(grant.floor, held.unmintedFrom));
  grants[held.node] = { ...grant, token: '-' };
  touch(memory, now, caller, known);
  return { memory, reply: { kind: 'released' } };
}
