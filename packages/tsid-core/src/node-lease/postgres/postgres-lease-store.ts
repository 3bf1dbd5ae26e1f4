import { BoundedDatabase, Deadline, PostgresFailure, type SqlPool } from '@solegate/postgres-infra';
import { LeasePinMismatchError } from '../fleet/lease-error.js';
import type {
  CallerFacts,
  ClaimReply,
  LeaseStore,
  NodeRange,
  ReleaseReply,
  RenewReply,
  StoredFleet,
  StoreFault,
} from '../fleet/lease-store.js';
import { heardPool } from './heard-pool.js';

/** Longest wait for a reply: a few of them must fit into a window. */
const CALL_MAX_MS = 3_000;
const CONNECTION_MAX = 2;

/** Options of {@link postgresLeaseStore}. */
export interface PostgresLeaseStoreOptions {
  /**
   * Every region of the fleet with its nodes, the same list everywhere; each region leases from a database of its own.
   * They are pinned at the first grant, and a process whose list overlaps is refused. Default: no regions.
   */
  readonly regions?: Readonly<Record<string, NodeRange>>;
}

/** Leases in PostgreSQL: the tables of {@link migrateNodeLeases}, changed by functions, one statement a move. */
export function postgresLeaseStore(
  pool: SqlPool,
  { regions = {} }: PostgresLeaseStoreOptions = {},
): LeaseStore {
  const database = new BoundedDatabase({ pool: heardPool(pool), connectionMax: CONNECTION_MAX });
  const pins = JSON.stringify(
    Object.fromEntries(Object.entries(regions).map(([name, { first, last }]) => [name, [first, last]])),
  );
  async function call<Reply>(name: string, values: unknown[], windowMs = CALL_MAX_MS * 3): Promise<Reply> {
    const session = database.changing(Deadline.after(Math.min(CALL_MAX_MS, windowMs / 3)));
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const { rows } = await session.query({ name, text: `SELECT ${name}(${places}) AS reply`, values });
    return (rows[0] as { reply: Reply }).reply;
  }
  return {
    name: 'PostgreSQL',
    claim: (request) =>
      call<ClaimReply>(
        'tsid_node_claim_v1',
        [
          request.claim,
          request.holder,
          request.isRepeat,
          request.isTrusted,
          request.nodes.first,
          request.nodes.last,
          ...agreed(request),
          request.insistsOnAllocator,
          ...known(request),
          pins,
        ],
        request.windowMs,
      ),
    renew: ({ grant, ...facts }) =>
      call<RenewReply>(
        'tsid_node_renew_v1',
        [
          grant.node,
          grant.token,
          grant.nextToken,
          grant.claim,
          facts.holder,
          grant.floorMs,
          grant.ceilingMs,
          ...agreed(facts),
          ...known(facts),
        ],
        facts.windowMs,
      ),
    release: ({ grant, unmintedFromMs, version }) =>
      call<ReleaseReply>('tsid_node_release_v1', [
        grant.node,
        grant.token,
        grant.nextToken,
        unmintedFromMs,
        version,
      ]),
    list: () => call<StoredFleet>('tsid_nodes_list_v1', []),
    faultOf: (error) => (error instanceof PostgresFailure ? faultOf(error) : undefined),
    warnings: async () => {
      const session = database.reading(Deadline.after(CALL_MAX_MS));
      const { rows } = await session
        .query({ text: `SELECT current_setting('fsync') AS fsync`, values: [] })
        .catch(() => ({ rows: [] }));
      const isForgetful = (rows[0] as { fsync: string } | undefined)?.fsync === 'off';
      return isForgetful ? ['PostgreSQL loses leases when it crashes: set fsync to on.'] : [];
    },
    onReconnection: () => () => {},
  };
}

const agreed = ({ layout, epochMs, allocatorId }: CallerFacts) => [layout, epochMs, allocatorId];
const known = ({ windowMs, skewMaxMs, quarantineMs, version, nowMs }: CallerFacts) => [
  windowMs,
  skewMaxMs,
  quarantineMs,
  version,
  nowMs,
];

function faultOf(failure: PostgresFailure): StoreFault {
  return {
    isUnknown: failure.kind === 'UNKNOWN',
    isPermanent: failure.kind === 'MISCONFIGURED' || failure.kind === 'REFUSED',
    explain: (attemptCount) => `${failure.message} (${attemptCount} attempts).`,
  };
}

/** The store that a database gets its node IDs from, and which allocator in it. */
export interface Allocator {
  readonly store: 'Redis' | 'PostgreSQL';
  readonly allocatorId: string;
}

/**
 * Makes an allocator that of this database; for fleets that lease from Redis, which PostgreSQL would not hear of.
 * @throws LeasePinMismatchError if the database has another one; PostgresFailure
 */
export async function pinAllocator(pool: SqlPool, { store, allocatorId }: Allocator): Promise<void> {
  const session = new BoundedDatabase({ pool }).changing(Deadline.after(CALL_MAX_MS));
  const { rows } = await session.query({
    text: 'SELECT store, allocator_id FROM tsid_allocator_pin_v1($1, $2)',
    values: [store, allocatorId],
  });
  const found = rows[0] as { store: string; allocator_id: string };
  if (found.store !== store) throw new LeasePinMismatchError('store', found.store, store);
  if (found.allocator_id !== allocatorId) {
    throw new LeasePinMismatchError('allocatorId', found.allocator_id, allocatorId);
  }
}
