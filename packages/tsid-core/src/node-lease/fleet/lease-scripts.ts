import { loadScript, type RedisConnection, RedisFailure, type RedisScriptError } from '@solegate/redis-infra';
import { claimNodeText } from './claim-node.lua.js';
import type { LeasePinMismatchError, QuarantineReason } from './lease-error.js';
import { listNodesText } from './list-nodes.lua.js';
import { releaseNodeText } from './release-node.lua.js';
import { renewNodeText } from './renew-node.lua.js';

/*
 * The four Lua scripts as typed calls, each with its reply as a tagged union. A lost race is a reply; a Redis that
 * cannot be reached is a RedisFailure, thrown by the call.
 */

interface PinnedReply {
  readonly kind: 'pinned';
  readonly field: LeasePinMismatchError['field'];
  readonly pinned: string;
}

/** Facts that every holder sends back, so that Redis can detect and restore what it lost. */
interface FleetFacts {
  /** Incremented with every change of the grants. */
  readonly version: number;
  /** How long the fleet waits after Redis lost its memory, in milliseconds. */
  readonly quarantineMs: number;
}

/** A node with the timestamps that may be minted on it. */
export interface GrantedReply extends FleetFacts {
  readonly kind: 'granted';
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
  readonly nowMs: number;
  readonly liveCount: number;
  readonly allocatorId: string;
}

export type ClaimReply =
  | GrantedReply
  | PinnedReply
  | { readonly kind: 'clock'; readonly aheadMs: number }
  | { readonly kind: 'quarantined'; readonly leftMs: number; readonly reason: QuarantineReason }
  | { readonly kind: 'exhausted'; readonly liveCount: number; readonly nextEndsInMs: number };

export type RenewReply =
  | ({
      readonly kind: 'renewed';
      readonly ceilingMs: number;
      readonly nowMs: number;
      readonly liveCount: number;
    } & FleetFacts)
  | PinnedReply
  | { readonly kind: 'lost'; readonly detail: string }
  | { readonly kind: 'ended'; readonly detail: string; readonly nowMs: number };

export type ReleaseReply = { readonly kind: 'released' } | { readonly kind: 'lost' };

/** Runs one of the scripts. */
interface LeaseScript<Reply> {
  run(redis: RedisConnection, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
}

export const claimScript = leaseScript<ClaimReply>('claim-node', claimNodeText, (reply) => {
  const [kind, ...facts] = asRow(reply);
  switch (kind) {
    case 'granted':
      return {
        kind,
        node: Number(facts[0]),
        floorMs: Number(facts[1]),
        ceilingMs: Number(facts[2]),
        nowMs: Number(facts[3]),
        liveCount: Number(facts[4]),
        allocatorId: String(facts[5]),
        version: Number(facts[6]),
        quarantineMs: Number(facts[7]),
      };
    case 'clock':
      return { kind, aheadMs: Number(facts[0]) };
    case 'quarantined':
      return { kind, leftMs: Number(facts[0]), reason: String(facts[1]) as QuarantineReason };
    case 'exhausted':
      return { kind, liveCount: Number(facts[0]), nextEndsInMs: Number(facts[1]) };
    default:
      return pinnedReply(kind, facts);
  }
});

export const renewScript = leaseScript<RenewReply>('renew-node', renewNodeText, (reply) => {
  const [kind, ...facts] = asRow(reply);
  switch (kind) {
    case 'renewed':
      return {
        kind,
        ceilingMs: Number(facts[0]),
        nowMs: Number(facts[1]),
        liveCount: Number(facts[2]),
        version: Number(facts[3]),
        quarantineMs: Number(facts[4]),
      };
    case 'lost':
      return { kind, detail: String(facts[0]) };
    case 'ended':
      return { kind, detail: `the window ended ${facts[0]} ms ago`, nowMs: Number(facts[1]) };
    default:
      return pinnedReply(kind, facts);
  }
});

export const releaseScript = leaseScript<ReleaseReply>('release-node', releaseNodeText, (reply) => ({
  kind: asRow(reply)[0] === 'released' ? 'released' : 'lost',
}));

export const listScript = leaseScript<readonly (string | number)[]>('list-nodes', listNodesText, asRow);

/** A full Redis that must not evict rejects every write. A script rejected this way has written nothing. */
export function isFull(failure: unknown): boolean {
  return failure instanceof RedisFailure && failure.message.includes('OOM ');
}

/**
 * A script that even a full Redis runs: leases take a few kilobytes, and without them everything stops. Redis 7
 * supports the flag. An older version rejects the script text, so the original failure is thrown.
 */
function leaseScript<Reply>(
  name: string,
  text: string,
  decode: (reply: unknown) => Reply,
): LeaseScript<Reply> {
  const keyCount = 3;
  const plain = loadScript({ name, text, keyCount, decode });
  const unrefused = loadScript({ name, text: `#!lua flags=allow-oom\n${text}`, keyCount, decode });
  return {
    async run(redis, keys, args) {
      try {
        return await plain.run(redis, keys, args);
      } catch (refused) {
        if (!isFull(refused)) throw refused;
        return unrefused.run(redis, keys, args).catch((failure: RedisFailure) => {
          throw failure.code === ('REDIS_SCRIPT' satisfies RedisScriptError['code']) ? refused : failure;
        });
      }
    },
  };
}

function asRow(reply: unknown): (string | number)[] {
  if (!Array.isArray(reply)) throw new TypeError(`A lease script returned ${typeof reply}, not an array.`);
  return reply;
}

function pinnedReply(kind: string | number | undefined, facts: (string | number)[]): PinnedReply {
  if (kind !== 'pinned') throw new TypeError(`A lease script returned the unknown reply "${kind}".`);
  return { kind, field: String(facts[0]) as PinnedReply['field'], pinned: String(facts[1]) };
}
