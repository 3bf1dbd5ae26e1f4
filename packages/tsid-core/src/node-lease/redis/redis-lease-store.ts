import { type RedisCalls, RedisFailure, RedisOutcomeUnknownError } from '@solegate/redis-infra/calls';
import type { CallerFacts, LeaseStore, StoreFault } from '../fleet/lease-store.js';
import { forgetfulness } from './forgetful-redis.js';
import { claimScript, isFull, listScript, releaseScript, renewScript } from './lease-scripts.js';
import { onReconnection } from './reconnection.js';

/** Leases in Redis: three keys for each namespace, changed by scripts. */
export function redisLeaseStore(redis: RedisCalls): LeaseStore {
  /** Empty in a cluster: visible keys share no hash tag, and the script chooses the node while it runs. */
  const visiblePrefix = (namespace: string) => (redis.isCluster ? '' : `${namespace}:node:`);
  return {
    name: 'Redis',
    claim: (request) =>
      claimScript.run(redis, fleetKeys(request.namespace), [
        request.claim,
        request.holder,
        request.isRepeat ? 1 : 0,
        request.isTrusted ? 1 : 0,
        visiblePrefix(request.namespace),
        request.nodes.last,
        ...agreed(request),
        request.insistsOnAllocator ? 1 : 0,
        request.windowMs,
        request.skewMaxMs,
        request.quarantineMs,
        request.version,
        request.nodes.first,
        request.nowMs,
      ]),
    renew: ({ grant, ...facts }) =>
      renewScript.run(redis, fleetKeys(facts.namespace), [
        grant.node,
        grant.token,
        grant.nextToken,
        grant.claim,
        facts.holder,
        grant.floorMs,
        grant.ceilingMs,
        visiblePrefix(facts.namespace),
        ...agreed(facts),
        facts.windowMs,
        facts.skewMaxMs,
        facts.quarantineMs,
        facts.version,
        facts.nowMs,
        facts.nodes.first,
        facts.nodes.last,
      ]),
    release: ({ namespace, grant, unmintedFromMs, version }) =>
      releaseScript.run(redis, fleetKeys(namespace), [
        grant.node,
        grant.token,
        grant.nextToken,
        unmintedFromMs,
        visiblePrefix(namespace),
        version,
      ]),
    list: (namespace) => listScript.run(redis, fleetKeys(namespace), []),
    faultOf: (error) => (error instanceof RedisFailure ? faultOf(error) : undefined),
    warnings: () => forgetfulness(redis),
    onReconnection: (renew) => onReconnection(redis, renew),
  };
}

/** Returns the keys of one fleet. The hash tag keeps all three in one cluster slot. */
function fleetKeys(namespace: string): [slots: string, grants: string, meta: string] {
  return [`{${namespace}}:slots`, `{${namespace}}:grants`, `{${namespace}}:meta`];
}

function agreed({ layout, epochMs, allocatorId }: CallerFacts): (string | number)[] {
  return [layout, epochMs, allocatorId];
}

function faultOf(failure: RedisFailure): StoreFault {
  const isRejected = failure.code === 'REDIS_SCRIPT' || /WRONGPASS|NOAUTH|NOPERM/.test(failure.message);
  return {
    isUnknown: failure instanceof RedisOutcomeUnknownError,
    isPermanent: isRejected || isFull(failure),
    explain: (attemptCount) =>
      isFull(failure)
        ? 'Redis is full and refuses writes: raise its maxmemory.'
        : (repliedWith(failure) ??
          `Redis did not reply in ${attemptCount} attempts. Check its address and that it is running.`),
  };
}

/** What an error reply of Redis says and what to do about it; undefined if there was no reply. */
function repliedWith({ cause: reply }: RedisFailure): string | undefined {
  if (!(reply instanceof Error && reply.name === 'ReplyError')) return undefined;
  const advice = ADVICE.find(([pattern]) => pattern.test(reply.message))?.[1];
  return `Redis replied "${reply.message}".${advice === undefined ? '' : ` ${advice}`}`;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|NOAUTH/, 'Check the user and password in the URL.'],
  [/NOPERM|can't (?:access|run)/, 'Give the user the permissions listed in the README of tsid-core.'],
  [/READONLY/, 'This is a replica: connect to the master, or through Sentinel.'],
  [/WRONGTYPE/, 'Another program uses the same keys: choose another namespace.'],
];
