import { createHash, randomUUID } from 'node:crypto';
import { chown, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { accountCan, type ServerAccount } from './server-account.js';

/** Where root keeps what `nobody` must reach while the checkout (say, below a 0700 /root) is closed to it. */
const REPLACEMENT_ROOT = '/var/tmp';

/**
 * A directory that the account can write: `wanted` itself, created if need be, or, when the account cannot get there,
 * its replacement below /var/tmp, the same one at every start.
 */
export async function dataDirectory(wanted: string, account: ServerAccount): Promise<string> {
  const path = resolve(wanted);
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
  if (account.switchTo === undefined) return path;
  if (await accountCan(account, 'cd "$1"', dirname(path))) {
    await handOver(path, account);
    return path;
  }
  const replacement = replacementFor(path);
  await mkdir(replacement, { mode: 0o700 }).catch(ignoreExisting);
  await refuseForeign(replacement, account);
  await handOver(replacement, account);
  return replacement;
}

/**
 * A directory of programs that the account can run: `source` itself, or a copy below /var/tmp.
 *
 * @param probe shell command that runs one of the programs; `$1` is the directory
 */
export async function programDirectory(
  source: string,
  probe: string,
  account: ServerAccount,
): Promise<string> {
  if (await accountCan(account, probe, source)) return source;
  const copy = replacementFor(source);
  const exists = await lstat(copy).then(
    () => true,
    () => false,
  );
  if (!exists) await copyAtOnce(source, copy);
  await refuseForeign(copy, {});
  return copy;
}

/** Renames `made` to `target` unless somebody else was first; then theirs is kept and ours is thrown away. */
export async function publishDirectory(made: string, target: string): Promise<void> {
  try {
    await rename(made, target);
  } catch (error) {
    if (!isTaken(error)) throw error;
    await rm(made, { recursive: true, force: true });
  }
}

/** A name beside `target`, on the same file system, that no other process uses. */
export function unpublishedName(target: string): string {
  return `${target}.${randomUUID()}`;
}

async function copyAtOnce(source: string, target: string): Promise<void> {
  const copy = unpublishedName(target);
  await cp(source, copy, { recursive: true, verbatimSymlinks: true });
  await publishDirectory(copy, target);
}

async function handOver(path: string, account: ServerAccount): Promise<void> {
  if (account.switchTo === undefined || (await readdir(path)).length > 0) return;
  await chown(path, account.switchTo.uid, account.switchTo.gid);
}

/** /var/tmp is open to everybody: a directory that another user put there under our name is not ours to trust. */
async function refuseForeign(path: string, account: ServerAccount): Promise<void> {
  const found = await lstat(path);
  const trusted = [process.getuid?.(), account.switchTo?.uid];
  if (found.isDirectory() && trusted.includes(found.uid)) return;
  throw new Error(`${path} belongs to another user (ID ${found.uid}); remove it and start again.`);
}

function replacementFor(path: string): string {
  return `${REPLACEMENT_ROOT}/solegate-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

function ignoreExisting(error: unknown): void {
  if (!isTaken(error)) throw error;
}

function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}
