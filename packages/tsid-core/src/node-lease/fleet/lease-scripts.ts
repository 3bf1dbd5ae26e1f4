import { loadScript } from '@solegate/redis-infra';
import type { LeasePinMismatchError } from '../lease-error.js';
import { claimNodeText } from './claim-node.lua.js';
import { listNodesText } from './list-nodes.lua.js';
import { releaseNodeText } from './release-node.lua.js';
import { renewNodeText } from './renew-node.lua.js';

/*
 * The four Lua scripts as typed calls: what each answers, as a tagged union. A lost race is an answer; a Redis that
 * cannot be asked is a RedisFailure, thrown by the call.
 */

interface PinnedReply {
  readonly kind: 'pinned';
  readonly field: LeasePinMismatchError['field'];
  readonly pinned: string;
}

/** A node with the timestamps that may be minted on it. */
export interface GrantedReply {
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
  | { readonly kind: 'quarantined'; readonly leftMs: number }
  | { readonly kind: 'exhausted'; readonly liveCount: number; readonly nextEndsInMs: number };

export type RenewReply =
  | {
      readonly kind: 'renewed';
      readonly ceilingMs: number;
      readonly nowMs: number;
      readonly liveCount: number;
    }
  | PinnedReply
  | { readonly kind: 'lost'; readonly detail: string }
  | { readonly kind: 'ended'; readonly detail: string };

export type ReleaseReply = { readonly kind: 'released' } | { readonly kind: 'lost' };

export const claimScript = loadScript<ClaimReply>({
  name: 'claim-node',
  text: claimNodeText,
  keyCount: 3,
  decode: (reply) => {
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
        };
      case 'clock':
        return { kind, aheadMs: Number(facts[0]) };
      case 'quarantined':
        return { kind, leftMs: Number(facts[0]) };
      case 'exhausted':
        return { kind, liveCount: Number(facts[0]), nextEndsInMs: Number(facts[1]) };
      default:
        return pinnedReply(kind, facts);
    }
  },
});

export const renewScript = loadScript<RenewReply>({
  name: 'renew-node',
  text: renewNodeText,
  keyCount: 3,
  decode: (reply) => {
    const [kind, ...facts] = asRow(reply);
    switch (kind) {
      case 'renewed':
        return { kind, ceilingMs: Number(facts[0]), nowMs: Number(facts[1]), liveCount: Number(facts[2]) };
      case 'lost':
        return { kind, detail: String(facts[0]) };
      case 'ended':
        return { kind, detail: `the window was over for ${facts[0]} ms` };
      default:
        return pinnedReply(kind, facts);
    }
  },
});

export const releaseScript = loadScript<ReleaseReply>({
  name: 'release-node',
  text: releaseNodeText,
  keyCount: 2,
  decode: (reply) => ({ kind: asRow(reply)[0] === 'released' ? 'released' : 'lost' }),
});

export const listScript = loadScript<readonly (string | number)[]>({
  name: 'list-nodes',
  text: listNodesText,
  keyCount: 3,
  decode: asRow,
});

function asRow(reply: unknown): (string | number)[] {
  if (!Array.isArray(reply)) throw new TypeError(`A lease script answered ${typeof reply} instead of a row.`);
  return reply;
}

function pinnedReply(kind: string | number | undefined, facts: (string | number)[]): PinnedReply {
  if (kind !== 'pinned') throw new TypeError(`A lease script answered "${kind}", which nobody understands.`);
  return { kind, field: String(facts[0]) as PinnedReply['field'], pinned: String(facts[1]) };
}
