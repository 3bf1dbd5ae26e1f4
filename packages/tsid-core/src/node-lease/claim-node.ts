import { setTimeout as pause } from 'node:timers/promises';
import { RedisFailure, RedisOutcomeUnknownError } from '@solegate/redis-infra';
import {
  ClockDifferenceError,
  LeasePinMismatchError,
  NodeLeaseQuarantinedError,
  NodeLeaseUnavailableError,
  NodesExhaustedError,
} from './fleet/lease-error.js';
import { type ClaimReply, type GrantedReply, isFull } from './fleet/lease-scripts.js';
import type { LeaseTerms } from './fleet/lease-terms.js';
import type { HeldGrant, NodeFleet } from './fleet/node-fleet.js';
import { clockDifference } from './lease-monitor.js';

/** How long a Redis that does not answer is asked again before the claim fails. */
const UNANSWERED_MAX_MS = 2_000;
const ASK_AGAIN_MS = 50;
/** How often a clock that is behind is read again. */
const FLOOR_LOOK_MS = 10;
/** Longest pause between two looks at a quarantine: a holder that reports or a trusting starter may end it sooner. */
export const QUARANTINE_LOOK_MS = 1_000;

/** A node granted to this process, and what Redis said beside it. */
export interface Claimed {
  readonly grant: HeldGrant;
  /** This clock minus that of Redis, as far as the way of the answer leaves no doubt. */
  readonly differenceMs: number;
  readonly liveCount: number;
}

/** How one claim is made. */
export interface ClaimManner {
  /** The caller vouches for a Redis without memory. */
  readonly isTrusted: boolean;
  /** Longest wait for a quarantine to end. */
  readonly waitMaxMs: number;
  readonly onQuarantine: (quarantine: Extract<ClaimReply, { kind: 'quarantined' }>) => void;
}

/**
 * Claims a node and waits until the local clock is inside its window. One round trip when nothing is wrong.
 * @throws NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError, LeasePinMismatchError,
 *   ClockDifferenceError; the node, if one was granted, is given back.
 */
export async function claimNode(fleet: NodeFleet, terms: LeaseTerms, manner: ClaimManner): Promise<Claimed> {
  const claim = terms.randomToken();
  const { reply, askedMs } = await grantedReply(fleet, claim, { ...manner, terms });
  const { node, floorMs, ceilingMs, nowMs, liveCount } = reply;
  const grant = { node, floorMs, ceilingMs, claim, token: claim, nextToken: terms.randomToken() };
  const differenceMs = clockDifference(askedMs, nowMs, terms.now());
  if (await reachesFloor(floorMs, terms)) return { grant, differenceMs, liveCount };
  await fleet.release(grant, floorMs).catch(() => {});
  throw new ClockDifferenceError(terms.now() - floorMs, terms.skewMaxMs);
}

/** Asks until Redis grants a node: through lost answers with the same claim, and through a quarantine. */
async function grantedReply(
  fleet: NodeFleet,
  claim: string,
  { isTrusted, waitMaxMs, onQuarantine, terms }: ClaimManner & { readonly terms: LeaseTerms },
): Promise<{ readonly reply: GrantedReply; readonly askedMs: number }> {
  let isRepeat = false;
  let waitedMs = 0;
  let failure: RedisFailure | undefined;
  const askedSince = performance.now();
  for (let attemptCount = 1; ; attemptCount++) {
    const askedMs = terms.now();
    try {
      const reply = await fleet.claim(claim, isRepeat, isTrusted);
      if (reply.kind === 'granted') return { reply, askedMs };
      // The first claim may have waited for the connection, and the clock that it carries with it.
      const isLate = reply.kind === 'clock' && reply.aheadMs < 0 && attemptCount === 1;
      if (isLate) continue;
      const quarantine = quarantineOf(reply, fleet, terms.skewMaxMs);
      if (waitedMs + quarantine.leftMs > waitMaxMs) {
        throw new NodeLeaseQuarantinedError(quarantine.leftMs, quarantine.reason);
      }
      if (waitedMs === 0) onQuarantine(quarantine);
      const waitMs = Math.min(quarantine.leftMs, QUARANTINE_LOOK_MS);
      waitedMs += waitMs;
      await pause(waitMs);
    } catch (error) {
      if (!(error instanceof RedisFailure)) throw error;
      failure = error;
      isRepeat ||= error instanceof RedisOutcomeUnknownError;
      if (isFull(failure) || performance.now() - askedSince > waitedMs + UNANSWERED_MAX_MS) {
        throw new NodeLeaseUnavailableError(attemptCount, { cause: failure, isFull: isFull(failure) });
      }
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** How long to wait before asking again; throws for the answers that waiting does not change. */
function quarantineOf(
  reply: Exclude<ClaimReply, GrantedReply>,
  fleet: NodeFleet,
  skewMaxMs: number,
): Extract<ClaimReply, { kind: 'quarantined' }> {
  switch (reply.kind) {
    case 'quarantined':
      return reply;
    case 'exhausted':
      throw new NodesExhaustedError(reply.liveCount, reply.nextEndsInMs);
    case 'clock':
      throw new ClockDifferenceError(reply.aheadMs, skewMaxMs);
    case 'pinned':
      throw new LeasePinMismatchError(reply.field, reply.pinned, fleet.pin(reply.field));
  }
}

/** A clock behind that of Redis reaches the floor in time; one that stands still never does. */
async function reachesFloor(floorMs: number, { now, skewMaxMs }: LeaseTerms): Promise<boolean> {
  const waitEndsMs = performance.now() + skewMaxMs + 100;
  while (now() < floorMs) {
    if (performance.now() > waitEndsMs) return false;
    await pause(FLOOR_LOOK_MS);
  }
  return true;
}
