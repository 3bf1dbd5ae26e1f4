import {
  loadScript,
  type RedisCalls,
  RedisFailure,
  type RedisScriptError,
} from '@solegate/redis-infra/calls';
import type { QuarantineReason } from '../fleet/lease-error.js';
import type { ClaimReply, PinnedReply, ReleaseReply, RenewReply, StoredFleet } from '../fleet/lease-store.js';
import { claimNodeText } from './claim-node.lua.js';
import { listNodesText } from './list-nodes.lua.js';
import { releaseNodeText } from './release-node.lua.js';
import { renewNodeText } from './renew-node.lua.js';

/*
 * The four Lua scripts as typed calls, each with its reply as a tagged union. A lost race is a reply; a Redis that
 * cannot be reached is a RedisFailure, thrown by the call.
 */

/** Runs one of the scripts. */
interface LeaseScript<Reply> {
  run(redis: RedisCalls, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
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

export const listScript = leaseScript<StoredFleet>('list-nodes', listNodesText, (reply) => {
  const [nowMs, safeAfterMs, layout, allocatorId, ...used] = asRow(reply);
  const nodes = Array.from({ length: used.length / 4 }, (_, index) => ({
    node: Number(used[index * 4]),
    ceilingMs: Number(used[index * 4 + 1]),
    floorMs: Number(used[index * 4 + 2]),
    holder: String(used[index * 4 + 3]),
  }));
  return {
    nowMs: Number(nowMs),
    safeAfterMs: Number(safeAfterMs),
    layout: layout === '' ? undefined : String(layout),
    allocatorId: allocatorId === '' ? undefined : String(allocatorId),
    nodes,
  };
});

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
