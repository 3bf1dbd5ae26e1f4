import type { Pool, PoolClient } from 'pg';

/*
 * Pins a database to the Redis that it gets node IDs from. Redis and PostgreSQL both store the identity of the
 * allocator, so a gateway given the Redis of another fleet, whose nodes might make the same IDs, does not start.
 *
 * A database without that identity has never had an ID, so the process that pins it can trust an empty Redis and need
 * not wait for the end of windows that Redis might have lost. Processes that start simultaneously take turns, so only
 * the first of them trusts it.
 */

/** Key of the advisory lock under which starting processes take turns: "allocate" in ASCII. */
const PIN_LOCK = 0x616c6c6f63617465n;

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
 * Leases a node from the allocator that the database is pinned to; the first call pins it.
 *
 * @throws whatever `lease` throws; nothing is pinned then
 */
export async function leaseFromPinned<Lease extends Leased>(
  pool: Pool,
  lease: LeaseFrom<Lease>,
): Promise<Lease> {
  const id = await pinnedAllocator(pool);
  if (id !== undefined) return lease({ id, isNew: false });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [String(PIN_LOCK)]);
    const leased = await leaseAndPin(client, lease);
    client.release();
    return leased;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function leaseAndPin<Lease extends Leased>(
  client: PoolClient,
  lease: LeaseFrom<Lease>,
): Promise<Lease> {
  const id = await pinnedAllocator(client);
  const leased = await lease({ id, isNew: id === undefined });
  try {
    await client.query('INSERT INTO tsid_allocator (allocator_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      leased.allocatorId,
    ]);
    await client.query('COMMIT');
    return leased;
  } catch (error) {
    await leased.release();
    throw error;
  }
}

async function pinnedAllocator(session: Pool | PoolClient): Promise<string | undefined> {
  const { rows } = await session.query<{ allocator_id: string }>('SELECT allocator_id FROM tsid_allocator');
  return rows[0]?.allocator_id;
}
