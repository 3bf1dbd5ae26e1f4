import {
  loadScript,
  type RedisCalls,
  RedisFailure,
  type RedisScriptError,
} from '@solegate/redis-infra/calls';
import type { ClaimReply, ReleaseReply, RenewReply, StoredFleet } from '../fleet/lease-store.js';
import { claimNodeText } from './claim-node.lua.js';
import { listNodesText } from './list-nodes.lua.js';
import { releaseNodeText } from './release-node.lua.js';
import { renewNodeText } from './renew-node.lua.js';

/*
 * The four Lua scripts as typed calls, each with its reply as a tagged union, which the script writes as JSON. A lost race
 * is a reply; a Redis that cannot be reached is a RedisFailure, thrown by the call.
 */

/** Runs one of the scripts. */
interface LeaseScript<Reply> {
  run(redis: RedisCalls, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
}

export const claimScript = leaseScript<ClaimReply>('claim-node', claimNodeText);
export const renewScript = leaseScript<RenewReply>('renew-node', renewNodeText);
export const releaseScript = leaseScript<ReleaseReply>('release-node', releaseNodeText);

/** An array, because Redis cannot write an empty list as JSON. */
export const listScript = leaseScript<StoredFleet>('list-nodes', listNodesText, (reply) => {
  const [nowMs, safeAfterMs, layout, allocatorId, ...used] = reply as (string | number)[];
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
  decode = (reply: unknown): Reply => JSON.parse(String(reply)) as Reply,
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
