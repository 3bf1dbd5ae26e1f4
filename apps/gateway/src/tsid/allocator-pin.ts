import { setTimeout } from 'node:timers/promises';
import { LeasePinMismatchError } from '@solegate/tsid-core/node-lease';
import { type Allocator, pinAllocator } from '@solegate/tsid-core/node-lease/postgres';
import type { Pool, PoolClient } from 'pg';

/*
 * Pins a database to the store that it gets node IDs from, and to the allocator in it. The database records both, so a
 * gateway with another NODE_STORE, or with the Redis of another fleet, does not start: its nodes might make the same IDs.
 *
 * A database without an allocator has never had an ID, so the process that pins it can trust an empty store and need
 * not wait for the end of windows that it might have lost. Processes that start simultaneously take turns, so only
 * the first of them trusts it.
 */

/** Key of the advisory lock under which starting processes take turns: "allocate" in ASCII. */
const PIN_LOCK = 0x616c6c6f63617465n;

/** Longest wait for the turns of others, of which the first may wait 35 s for a store that has forgotten its leases. */
const TURN_MAX_MS = 120_000;
const PAUSE_MS = 200;

/** A leased node. */
interface Leased {
  readonly allocatorId: string;
  release(): Promise<void>;
}

/** Leases a node from the allocator that the database names, or, if it names none, from any, even an empty one. */
export type LeaseFrom<Lease> = (allocator: {
  readonly id: string | undefined;
  readonly isNew: boolean;
}) => Promise<Lease>;

/**
 * Leases a node from the store and allocator that the database is pinned to; the first call pins it.
 *
 * @throws LeasePinMismatchError if it has another store; whatever `lease` throws; nothing is pinned then
 */
export async function leaseFromPinned<Lease extends Leased>(
  pool: Pool,
  store: Allocator['store'],
  lease: LeaseFrom<Lease>,
): Promise<Lease> {
  for (const endMs = performance.now() + TURN_MAX_MS; ; await setTimeout(PAUSE_MS)) {
    const { isPinned, id } = await pinned(pool, store);
    if (id !== undefined) return isPinned ? lease({ id, isNew: false }) : leaseAndPin(pool, store, lease);
    const leased = await leaseInTurn(pool, store, lease);
    if (leased !== undefined) return leased;
    if (performance.now() > endMs)
      throw new Error(`Another process has leased the first node for ${TURN_MAX_MS / 1000} s`);
  }
}

/** Returns `undefined` if it is another process's turn. */
async function leaseInTurn<Lease extends Leased>(
  pool: Pool,
  store: Allocator['store'],
  lease: LeaseFrom<Lease>,
): Promise<Lease | undefined> {
  const client = await pool.connect();
  // A connection that ends while the store is asked fails the next statement; as an event it would end the process.
  client.on('error', ignore);
  let leased: Lease | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock($1) AS mine, set_config('idle_in_transaction_session_timeout', '0', true)`,
      [String(PIN_LOCK)],
    );
    leased = rows[0]?.mine ? await leaseAndPin(client, store, lease) : undefined;
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
    return leased;
  } catch (error) {
    client.release(true);
    await leased?.release();
    throw error;
  }
}

const ignore = () => {};

async function leaseAndPin<Lease extends Leased>(
  session: Pool | PoolClient,
  store: Allocator['store'],
  lease: LeaseFrom<Lease>,
): Promise<Lease> {
  const { id } = await pinned(session, store);
  const leased = await lease({ id, isNew: id === undefined });
  try {
    await pinAllocator(session, { store, allocatorId: leased.allocatorId });
    return leased;
  } catch (error) {
    await leased.release();
    throw error;
  }
}

async function pinned(session: Pool | PoolClient, store: Allocator['store']) {
  const { rows } = await session.query<{ store: string | null; allocator_id: string | null }>(
    'SELECT store, allocator_id FROM tsid_allocator',
  );
  const found = rows[0]?.store ?? undefined;
  if (found !== undefined && found !== store) throw new LeasePinMismatchError('store', found, store);
  return { isPinned: found !== undefined, id: rows[0]?.allocator_id ?? undefined };
}
