import type { Pool } from 'pg';

/**
 * The allocator of node IDs that this database belongs to. Redis and PostgreSQL both hold its identity, so a gateway that
 * was given the Redis of another fleet (whose nodes may make the same IDs) does not start.
 */
export async function pinnedAllocator(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ allocator_id: string }>('SELECT allocator_id FROM tsid_allocator');
  return rows[0]?.allocator_id;
}

/** @throws {AllocatorMismatchError} when another process pinned another one in between */
export async function pinAllocator(pool: Pool, allocatorId: string): Promise<void> {
  await pool.query('INSERT INTO tsid_allocator (allocator_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    allocatorId,
  ]);
  const pinned = await pinnedAllocator(pool);
  if (pinned !== allocatorId) throw new AllocatorMismatchError(pinned, allocatorId);
}

/** PostgreSQL belongs to another Redis. */
export class AllocatorMismatchError extends Error {
  readonly code = 'ALLOCATOR_MISMATCH';
  override readonly name = 'AllocatorMismatchError';

  constructor(
    readonly pinned: string | undefined,
    readonly offered: string,
  ) {
    super(
      `This database takes its node IDs from the Redis "${pinned}", and REDIS_URL leads to "${offered}": ` +
        'equal IDs would be possible. Use the Redis that belongs to the database.',
    );
  }
}
