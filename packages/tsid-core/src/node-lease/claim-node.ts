import { setTimeout as pause } from 'node:timers/promises';
import {
  ClockDifferenceError,
  LeasePinMismatchError,
  NodeLeaseQuarantinedError,
  NodeLeaseUnavailableError,
  NodesExhaustedError,
} from './fleet/lease-error.js';
import type { ClaimReply, GrantedReply, HeldGrant } from './fleet/lease-store.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import type { NodeFleet } from './fleet/node-fleet.js';
import { clockDifference } from './lease-monitor.js';

/** How long to retry while the store does not reply before the claim fails. */
const UNANSWERED_MAX_MS = 2_000;
const ASK_AGAIN_MS = 50;
/** How often to reread a clock that is behind the floor. */
const FLOOR_LOOK_MS = 10;
/** Longest pause between two checks of a quarantine: a reporting holder or a trusting process can end it sooner. */
const QUARANTINE_LOOK_MS = 1_000;

/**
 * Returns the pause before the next check of a quarantine. At most half a quarantine: a longer silence would look as if
 * Redis had been frozen.
 */
export function quarantinePauseMs(leftMs: number, quarantineMs: number): number {
  return Math.min(leftMs, QUARANTINE_LOOK_MS, Math.floor(quarantineMs / 2));
}

/** A node granted to this process, with the other facts of the reply. */
export interface Claimed {
  readonly grant: HeldGrant;
  /** This clock minus that of the store: the part that the round trip cannot explain. */
  readonly differenceMs: number;
  readonly liveCount: number;
}

/** How to make one claim. */
export interface ClaimManner {
  /** Whether `trustEmptyStore` applies to this claim. */
  readonly isTrusted: boolean;
  /** Longest wait for a quarantine to end. */
  readonly waitMaxMs: number;
  readonly onQuarantine: (quarantine: Extract<ClaimReply, { kind: 'quarantined' }>) => void;
}

/**
 * Claims a node and waits until the local clock is inside its window. Takes one round trip in the normal case.
 * @throws NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError, LeasePinMismatchError,
 *   ClockDifferenceError. A node that was granted is released first.
 */
export async function claimNode(fleet: NodeFleet, terms: LeaseTerms, manner: ClaimManner): Promise<Claimed> {
  const claim = terms.randomToken();
  const { reply, askedMs } = await grantedReply(fleet, claim, { ...manner, terms });
  const { node, floorMs, ceilingMs, nowMs, liveCount } = reply;
  const grant = { node, floorMs, ceilingMs, claim, token: claim, nextToken: terms.randomToken() };
  const differenceMs = clockDifference(askedMs, nowMs, terms.now());
  if (await reachesFloor(floorMs, terms)) return { grant, differenceMs, liveCount };
  await fleet.release(grant, floorMs).catch(() => {});
  throw new ClockDifferenceError(terms.now() - floorMs, terms.skewMaxMs, terms.store.name);
}

/** Retries until the store grants a node: after lost replies, with the same claim, and during a quarantine. */
async function grantedReply(
  fleet: NodeFleet,
  claim: string,
  { isTrusted, waitMaxMs, onQuarantine, terms }: ClaimManner & { readonly terms: LeaseTerms },
): Promise<{ readonly reply: GrantedReply; readonly askedMs: number }> {
  let isRepeat = false;
  let waitedMs = 0;
  const askedSince = performance.now();
  const isOver = () => performance.now() - askedSince > waitedMs + UNANSWERED_MAX_MS;
  for (let attemptCount = 1; ; attemptCount++) {
    const askedMs = terms.now();
    try {
      const reply = await fleet.claim(claim, isRepeat, isTrusted);
      if (reply.kind === 'granted') return { reply, askedMs };
      if (reply.kind === 'clock' && cameLate(reply.aheadMs, askedMs, terms) && !isOver()) {
        await pause(ASK_AGAIN_MS);
        continue;
      }
      const quarantine = quarantineOf(reply, fleet, terms);
      if (waitedMs + quarantine.leftMs > waitMaxMs) {
        throw new NodeLeaseQuarantinedError(quarantine.leftMs, quarantine.reason, terms.store.name);
      }
      if (waitedMs === 0) onQuarantine(quarantine);
      const waitMs = quarantinePauseMs(quarantine.leftMs, terms.quarantineMs);
      waitedMs += waitMs;
      await pause(waitMs);
    } catch (error) {
      const fault = terms.store.faultOf(error);
      if (fault === undefined) throw error;
      isRepeat ||= fault.isUnknown;
      if (fault.isPermanent || isOver()) {
        throw new NodeLeaseUnavailableError(attemptCount, fault.explain(attemptCount), { cause: error });
      }
      await pause(ASK_AGAIN_MS);
    }
  }
}

/**
 * Whether the claim's own delay explains the difference: its clock reading was old when it arrived, after a wait for the
 * connection or behind other work of a busy machine.
 */
function cameLate(aheadMs: number, askedMs: number, { now, skewMaxMs }: LeaseTerms): boolean {
  return Math.abs(clockDifference(askedMs, askedMs - aheadMs, now())) <= skewMaxMs;
}

/** Returns how long to wait before retrying; throws for replies that waiting does not change. */
function quarantineOf(
  reply: Exclude<ClaimReply, GrantedReply>,
  fleet: NodeFleet,
  { skewMaxMs, store }: LeaseTerms,
): Extract<ClaimReply, { kind: 'quarantined' }> {
  switch (reply.kind) {
    case 'quarantined':
      return reply;
    case 'exhausted':
      throw new NodesExhaustedError(reply.liveCount, reply.nextEndsInMs);
    case 'clock':
      throw new ClockDifferenceError(reply.aheadMs, skewMaxMs, store.name);
    case 'pinned':
      throw new LeasePinMismatchError(reply.field, reply.pinned, fleet.pin(reply.field));
  }
}

/** Waits for a clock that is behind that of the store to reach the floor. Returns false if it stalls. */
async function reachesFloor(floorMs: number, { now, skewMaxMs }: LeaseTerms): Promise<boolean> {
  const waitEndsMs = performance.now() + skewMaxMs + 100;
  while (now() < floorMs) {
    if (performance.now() > waitEndsMs) return false;
    await pause(FLOOR_LOOK_MS);
  }
  return true;
}
