import type { NodeLeaseHealth } from '@solegate/tsid-core/node-lease';

/*
 * What still works while a part is away: the one table behind the body of `/health/ready`, the `promises` of GraphQL, the
 * startup text, and "What works without" in docs/operations/runbook.md. Nothing here is inferred: a part is away if it did
 * not pass its last probe, and a time is the end of a window that was granted.
 */

/** What can be away. With several databases, the part of each is `postgres NAME`. */
export type PartKind = 'postgres' | 'redis' | 'nodeLease';

/** The alert that fires while the part is away, and what an operator does. */
export const PARTS: Readonly<Record<PartKind, { readonly alert: string; readonly action: string }>> = {
  postgres: {
    alert: 'SolegatePartAway',
    action: 'Bring PostgreSQL back, or fail over to a synchronous standby.',
  },
  redis: {
    alert: 'SolegateRedisAway',
    action: 'Restart Redis with its data, or promote a replica. Do not restart gateways.',
  },
  nodeLease: {
    alert: 'SolegateNoNodeLease',
    action: 'Bring back what grants node IDs, as the log says; NODE_STORE sets what does.',
  },
};

/** What the loss of a part does to a promise. */
interface Effect {
  readonly works: boolean;
  readonly effect: string;
}

interface PromiseRow {
  readonly what: string;
  /** By part; `nodeStore` is whichever store grants node IDs. A part that is not listed has no effect. */
  readonly without: Readonly<Partial<Record<PartKind | 'nodeStore', Effect>>>;
}

const REFUSED =
  'Refused with SERVICE_UNAVAILABLE; a call in progress may get OUTCOME_UNKNOWN. With several databases: where this one ' +
  'has the data.';

export const PROMISES = {
  NUMBERS: {
    what: 'Document numbers: issue, reserve, confirm, cancel, void, replace.',
    without: {
      postgres: { works: false, effect: REFUSED },
      redis: { works: true, effect: 'The same numbers; a crowded counter waits at its row.' },
      nodeLease: { works: true, effect: 'The same numbers; their ledger rows have no ID.' },
    },
  },
  TRIPS: {
    what: 'Trips: request, accept, start, complete, cancel.',
    without: {
      postgres: { works: false, effect: REFUSED },
      redis: { works: true, effect: 'One winner, as always; each loser costs PostgreSQL a statement.' },
      nodeLease: { works: true, effect: 'A new trip needs a `tripId` of the caller.' },
    },
  },
  IDS: {
    what: 'New IDs: generateTsids, createCorrespondence, master data, trips requested without a `tripId`.',
    without: {
      postgres: { works: true, effect: 'Only generateTsids: what is stored with its ID is refused.' },
      nodeStore: { works: true, effect: 'Until the end of the window that the node was last granted.' },
      nodeLease: { works: false, effect: 'Refused with NODE_UNAVAILABLE; nothing is done.' },
    },
  },
  TRIP_UPDATES: {
    what: 'Subscriptions to one trip: tripUpdated.',
    without: {
      postgres: { works: false, effect: 'No changes are made, and new subscriptions are refused.' },
      redis: { works: true, effect: 'Up to a second late.' },
    },
  },
  ANNOUNCEMENTS: {
    what: 'Subscriptions to what is new: tripOffered, documentNumberIssued.',
    without: {
      redis: {
        works: false,
        effect: 'They begin, and deliver from when Redis is back; read lists meanwhile.',
      },
    },
  },
  POSITIONS: {
    what: 'Driver positions, and offers to the nearest drivers first.',
    without: {
      redis: { works: false, effect: 'Positions are refused; the search is repeated until Redis answers.' },
    },
  },
  RATE_LIMITS: {
    what: 'Rate limits across gateways.',
    without: {
      redis: { works: true, effect: 'Each process counts alone.' },
    },
  },
} as const satisfies Readonly<Record<string, PromiseRow>>;

export type PromiseName = keyof typeof PROMISES;

/** Whether a promise is kept, and for each part that is away, what that does to it. */
export type PromiseStatus = Readonly<ReturnType<typeof promiseStatuses>[number]>;

export interface PromiseFacts {
  /** All probed parts. */
  readonly parts: readonly string[];
  readonly away: readonly { readonly part: string; readonly reason: string }[];
  readonly nodeStore: 'redis' | 'postgres';
  readonly lease: Partial<NodeLeaseHealth>;
}

/** Returns the status of every promise. */
export function promiseStatuses({ parts, away, nodeStore, lease }: PromiseFacts) {
  const isLost = (kind: PartKind) =>
    parts.filter((part) => kindOf(part) === kind).every((part) => away.some((one) => one.part === part));
  return Object.entries<PromiseRow>(PROMISES).map(([name, { without }]) => {
    const found = away.flatMap(({ part, reason }) => {
      const kind = kindOf(part);
      const effects = [without[kind], kind === nodeStore ? without.nodeStore : undefined];
      return effects.flatMap((own) => (own ? [{ kind, part, reason, ...own, ...PARTS[kind] }] : []));
    });
    // One of several databases ends only the IDs of its own data, by a lease that is not known here.
    const isEnding = isLost(nodeStore) && without.nodeStore !== undefined && lease.healthy;
    return {
      promise: name as PromiseName,
      works: !found.some(({ kind, works }) => !works && isLost(kind)),
      /** When it stops working unless something is done; absent if no such time is known. */
      ...(isEnding && lease.ceilingMs !== undefined && { until: new Date(lease.ceilingMs) }),
      limits: found.map(({ kind: _kind, works: _works, ...limit }) => limit),
    };
  });
}

function kindOf(part: string): PartKind {
  return part.split(' ', 1)[0] as PartKind;
}
