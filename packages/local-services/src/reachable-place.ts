import { createHash, randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * As root, servers run as `nobody`, and `nobody` cannot enter a checkout below a directory like /root
 * (0700). Then data and programs get a place outside of it, derived from the path that was wanted, so that
 * every start finds the same one. It lies where only root can make directories: in /var/tmp anybody could
 * be there first, and cleaners remove what is a month old.
 */
export function reachablePlace(kind: 'data' | 'programs', wanted: string): string {
  const parent = kind === 'data' ? '/var/lib/solegate' : '/var/cache/solegate';
  return join(parent, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
}

/**
 * A name beside `target`, on the same file system, that no other process uses: for work that is not
 * finished yet.
 */
export function unfinishedPlace(target: string): string {
  return `${target}.${randomUUID()}`;
}

/** Renames `made` to `target` unless somebody else was first; then theirs is kept and ours is thrown away. */
export async function publishDirectory(made: string, target: string): Promise<void> {
  try {
    await rename(made, target);
  } catch (error) {
    ignoreTaken(error);
    await rm(made, { recursive: true, force: true });
  }
}

/** Rethrows every error but "somebody else has made it already". */
export function ignoreTaken(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
}
