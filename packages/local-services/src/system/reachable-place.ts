import { createHash, randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * When started by root, servers run as `nobody`, which cannot enter a checkout below a directory like /root
 * (0700). Data and programs then go to a place outside of it, derived from the requested path, so that every
 * start finds the same one. Only root can create directories there: in /var/tmp any user could create it
 * first, and cleaners remove files that are a month old.
 */
export function reachablePlace(kind: 'data' | 'programs', wanted: string): string {
  const parent = kind === 'data' ? '/var/lib/solegate' : '/var/cache/solegate';
  return join(parent, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
}

/**
 * Returns a unique name beside `target`, on the same file system, for work in progress.
 */
export function unfinishedPlace(target: string): string {
  return `${target}.${randomUUID()}`;
}

/** Renames `made` to `target`. If another process was first, keeps its result and discards ours. */
export async function publishDirectory(made: string, target: string): Promise<void> {
  try {
    await rename(made, target);
  } catch (error) {
    ignoreTaken(error);
    await rm(made, { recursive: true, force: true });
  }
}

/** Rethrows every error except "it already exists". */
export function ignoreTaken(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
}
