import {
  BoundedDatabase,
  Deadline,
  PostgresFailure,
  poolOf,
  postgresFailure,
  type SqlPool,
  type SqlSession,
  settleBy,
} from '@solegate/postgres-infra';
import { refuseUnknownOptions } from '../../codec/option-names.js';
import { InvalidLeaseOptionsError, LeasePinMismatchError } from '../fleet/lease-error.js';
import type {
  CallerFacts,
  ClaimReply,
  ClaimRequest,
  HeldGrant,
  LeaseStore,
  NodeRange,
  ReleaseReply,
  RenewalRequest,
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
   * They are pinned at the first grant, and a process whose list overlaps is refused, or whose `nodes` are not all of the
   * region of the database. Default: no regions.
   */
  readonly regions?: Readonly<Record<string, NodeRange>>;
  /** The region that this database belongs to, pinned too. Default: that of the first process that is granted a node. */
  readonly region?: string;
}

/**
 * Leases in PostgreSQL: the tables of {@link migrateNodeLeases}, changed by functions, one statement a move.
 * @param pool of `pg`, which alone passes on the warning that a commit did not wait for its standby
 * @throws InvalidLeaseOptionsError for anything else
 */
export function postgresLeaseStore(pool: SqlPool, options: PostgresLeaseStoreOptions = {}): LeaseStore {
  refuseUnknownOptions(options, { regions: true, region: true }, InvalidLeaseOptionsError);
  const { regions = {}, region } = options;
  if (region !== undefined && regions[region] === undefined)
    throw new InvalidLeaseOptionsError(`region is ${region}, which is none of regions.`);
  refuseOtherPools(pool);
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
      call<ClaimReply>('tsid_node_claim_v1', [...claimValues(request), pins, region], request.windowMs),
    renew: (request) => call<RenewReply>('tsid_node_renew_v1', renewalValues(request), request.windowMs),
    release: ({ grant, unmintedFromMs, version }) =>
      call<ReleaseReply>('tsid_node_release_v1', [...tokens(grant), unmintedFromMs, version]),
    list: () => call<StoredFleet>('tsid_nodes_list_v1', []),
    faultOf: (error) => (error instanceof PostgresFailure ? faultOf(error) : undefined),
    warnings: () => warningsOf(database.reading(Deadline.after(CALL_MAX_MS))),
    onReconnection: () => () => {},
  };
}

function refuseOtherPools(given: SqlPool): void {
  const refusal = () =>
    new InvalidLeaseOptionsError(
      'postgresLeaseStore takes a Pool of pg: give it the one that your library uses.',
    );
  if (poolOf(given, refusal) !== given) throw refusal();
}

function claimValues(request: ClaimRequest): unknown[] {
  const { claim, holder, isRepeat, isTrusted, nodes, insistsOnAllocator } = request;
  const asked = [claim, holder, isRepeat, isTrusted, nodes.first, nodes.last];
  return [...asked, ...agreed(request), insistsOnAllocator, ...known(request)];
}

function renewalValues({ grant, ...facts }: RenewalRequest): unknown[] {
  const held = [...tokens(grant), grant.claim, facts.holder, grant.floorMs, grant.ceilingMs];
  return [...held, ...agreed(facts), ...known(facts), facts.nodes.first, facts.nodes.last];
}

const tokens = ({ node, token, nextToken }: HeldGrant) => [node, token, nextToken];
const agreed = ({ layout, epochMs, allocatorId }: CallerFacts) => [layout, epochMs, allocatorId];
const known = (facts: CallerFacts) => [
  facts.windowMs,
  facts.skewMaxMs,
  facts.quarantineMs,
  facts.version,
  facts.nowMs,
];

async function warningsOf(session: SqlSession): Promise<string[]> {
  const { rows } = await session
    .query({ text: `SELECT current_setting('fsync') AS fsync`, values: [] })
    .catch(() => ({ rows: [] }));
  const isForgetful = (rows[0] as { fsync: string } | undefined)?.fsync === 'off';
  return isForgetful ? ['PostgreSQL loses leases when it crashes: set fsync to on.'] : [];
}

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
 * Makes an allocator that of this database; for fleets that lease from Redis, which PostgreSQL would not hear of. Takes a
 * pool of `pg`, or the session of a transaction.
 * @throws LeasePinMismatchError if the database has another one; PostgresFailure
 */
export async function pinAllocator(session: SqlSession, { store, allocatorId }: Allocator): Promise<void> {
  const text = 'SELECT store, allocator_id FROM tsid_allocator_pin_v1($1, $2)';
  const pinned = session.query({ text, values: [store, allocatorId] });
  const { rows } = await settleBy(pinned, Deadline.after(CALL_MAX_MS), noReply).catch((error: unknown) => {
    throw postgresFailure(error, true);
  });
  const found = rows[0] as { store: string; allocator_id: string };
  if (found.store !== store) throw new LeasePinMismatchError('store', found.store, store);
  if (found.allocator_id !== allocatorId) {
    throw new LeasePinMismatchError('allocatorId', found.allocator_id, allocatorId);
  }
}

const noReply = () => new PostgresFailure('UNKNOWN', 'PostgreSQL did not respond before the deadline');
