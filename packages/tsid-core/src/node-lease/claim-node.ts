import { setTimeout as pause } from 'node:timers/promises';
import { RedisFailure, RedisOutcomeUnknownError } from '@solegate/redis-infra';
import type { ClaimReply, GrantedReply } from './fleet/lease-scripts.js';
import type { HeldGrant, NodeFleet } from './fleet/node-fleet.js';
import {
  ClockDifferenceError,
  LeasePinMismatchError,
  NodeLeaseQuarantinedError,
  NodeLeaseUnavailableError,
  NodesExhaustedError,
} from './lease-error.js';
import type { LeaseTerms } from './lease-terms.js';

/** How long a Redis that does not answer is asked again before the claim fails. */
const UNANSWERED_MAX_MS = 2_000;
const ASK_AGAIN_MS = 50;

/** A node granted to this process, and what Redis said beside it. */
export interface Claimed {
  readonly grant: HeldGrant;
  /** This clock minus that of Redis, when the answer came. */
  readonly differenceMs: number;
  readonly liveCount: number;
}

/** How one claim is made. */
export interface ClaimManner {
  /** The caller vouches for a Redis without memory. */
  readonly isTrusted: boolean;
  /** Longest wait for a quarantine to end. */
  readonly waitMaxMs: number;
  readonly onQuarantine: (leftMs: number) => void;
}

/**
 * Claims a node and waits until the local clock is inside its window. One round trip when nothing is wrong.
 * @throws NodeLeaseUnavailableError, NodeLeaseQuarantinedError, NodesExhaustedError, LeasePinMismatchError,
 *   ClockDifferenceError; the node, if one was granted, is given back.
 */
export async function claimNode(fleet: NodeFleet, terms: LeaseTerms, manner: ClaimManner): Promise<Claimed> {
  const claim = terms.randomToken();
  const reply = await grantedReply(fleet, claim, { ...manner, skewMaxMs: terms.skewMaxMs });
  const { node, floorMs, ceilingMs } = reply;
  const grant = { node, floorMs, ceilingMs, claim, token: claim, nextToken: terms.randomToken() };
  const differenceMs = terms.clock() - reply.nowMs;
  if (await reachesFloor(floorMs, terms)) return { grant, differenceMs, liveCount: reply.liveCount };
  await fleet.release(grant, floorMs).catch(() => {});
  throw new ClockDifferenceError(differenceMs, terms.skewMaxMs);
}

/** Asks until Redis grants a node: through lost answers with the same claim, and through a quarantine. */
async function grantedReply(
  fleet: NodeFleet,
  claim: string,
  manner: ClaimManner & { readonly skewMaxMs: number },
): Promise<GrantedReply> {
  let isRepeat = false;
  let waitedMs = 0;
  const askedSince = performance.now();
  for (let attemptCount = 1; ; attemptCount++) {
    try {
      const reply = await fleet.claim(claim, isRepeat, manner.isTrusted);
      if (reply.kind === 'granted') return reply;
      // The first claim may have waited for the connection, and the clock that it carries with it.
      const isLate = reply.kind === 'clock' && reply.aheadMs < 0 && attemptCount === 1;
      const waitMs = isLate ? 0 : quarantineLeft(reply, fleet, manner.skewMaxMs);
      waitedMs += waitMs;
      if (waitedMs > manner.waitMaxMs) throw new NodeLeaseQuarantinedError(waitMs);
      if (waitMs > 0) manner.onQuarantine(waitMs);
      await pause(waitMs);
    } catch (error) {
      if (!(error instanceof RedisFailure)) throw error;
      isRepeat ||= error instanceof RedisOutcomeUnknownError;
      if (performance.now() - askedSince > waitedMs + UNANSWERED_MAX_MS) {
        throw new NodeLeaseUnavailableError(attemptCount, { cause: error });
      }
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** How long to wait before asking again; throws for the answers that waiting does not change. */
function quarantineLeft(
  reply: Exclude<ClaimReply, GrantedReply>,
  fleet: NodeFleet,
  skewMaxMs: number,
): number {
  switch (reply.kind) {
    case 'quarantined':
      return reply.leftMs;
    case 'exhausted':
      throw new NodesExhaustedError(reply.liveCount, reply.nextEndsInMs);
    case 'clock':
      throw new ClockDifferenceError(reply.aheadMs, skewMaxMs);
    case 'pinned':
      throw new LeasePinMismatchError(reply.field, reply.pinned, fleet.pin(reply.field));
  }
}

/** A clock behind that of Redis reaches the floor in time; one that stands still never does. */
async function reachesFloor(floorMs: number, { clock, skewMaxMs }: LeaseTerms): Promise<boolean> {
  const waitEndsMs = performance.now() + skewMaxMs + 100;
  while (clock() < floorMs) {
    if (performance.now() > waitEndsMs) return false;
    await pause(Math.min(50, Math.max(1, floorMs - clock())));
  }
  return true;
}
