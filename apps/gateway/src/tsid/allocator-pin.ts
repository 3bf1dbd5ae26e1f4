import type { Pool, PoolClient } from 'pg';

/*
 * Which Redis a database takes its node IDs from. Redis and PostgreSQL both hold the identity of the allocator, so a
 * gateway that was given the Redis of another fleet, whose nodes may make the same IDs, does not start.
 *
 * A database without that identity has never had an ID: whoever pins it may trust an empty Redis, and need not wait
 * until the windows that it might have forgotten are over. Those who start at the same moment take turns, so only the
 * first of them trusts.
 */

/** Processes that start at once take turns under this key: "allocate" in ASCII. */
const PIN_LOCK = 0x616c6c6f63617465n;

/** Something that has leased a node. */
interface Leased {
  readonly allocatorId: string;
  release(): Promise<void>;
}

/** How to lease: from the allocator that the database names, or, when it names none, from any, with or without memory. */
export type LeaseFrom<Lease> = (allocator: {
  readonly id: string | undefined;
  readonly isNew: boolean;
}) => Promise<Lease>;

/**
 * Leases a node from the allocator that the database belongs to; the first time decides which that is.
 *
 * @throws what `lease` throws; nothing is pinned then
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
