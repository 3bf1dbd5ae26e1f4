import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chown, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { accountCan, type ServerAccount } from './server-account.js';
import { DataForeignError } from './start-failure.js';

/*
 * As root, servers run as `nobody`, and `nobody` cannot enter a checkout below a directory like /root (0700). Then data and
 * programs get a place outside of it that is derived from the wanted path, so that every start finds the same one. It lies
 * where only root can make directories: in /var/tmp anybody could be there first, and cleaners remove what is a month old.
 */
const DATA_ROOT = '/var/lib/solegate';
const PROGRAM_ROOT = '/var/cache/solegate';

const run = promisify(execFile);

/**
 * A directory that the account owns and reaches: `wanted` itself, created if need be, or its replacement.
 *
 * @throws DataForeignError when it holds somebody else's data and we are not root
 */
export async function dataDirectory(wanted: string, account: ServerAccount): Promise<string> {
  const path = resolve(wanted);
  await mkdir(dirname(path), { recursive: true });
  const reachable = await accountCan(account, 'cd "$1"', dirname(path));
  const directory = reachable ? path : replacementFor(DATA_ROOT, path);
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
  await mkdir(directory, { mode: 0o700 }).catch(ignoreTaken);
  if (account.switchTo === undefined) await refuseForeign(directory);
  else if ((await readdir(directory)).length === 0) {
    await chown(directory, account.switchTo.uid, account.switchTo.gid);
  }
  return directory;
}

/**
 * A directory of programs that the account can run: `source` itself, or a copy of it.
 *
 * @param probe shell command that runs one of the programs; `$1` is the directory
 */
export async function programDirectory(
  source: string,
  probe: string,
  account: ServerAccount,
): Promise<string> {
  if (await accountCan(account, probe, source)) return source;
  const copy = replacementFor(PROGRAM_ROOT, source);
  if (await accountCan(account, probe, copy)) return copy;
  const unfinished = unpublishedName(copy);
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await cp(source, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', unfinished]);
  await publishDirectory(unfinished, copy);
  return copy;
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

/** A name beside `target`, on the same file system, that no other process uses. */
export function unpublishedName(target: string): string {
  return `${target}.${randomUUID()}`;
}

async function refuseForeign(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (uid !== process.getuid?.()) throw new DataForeignError(directory, uid);
}

function replacementFor(parent: string, path: string): string {
  return join(parent, createHash('sha256').update(path).digest('hex').slice(0, 16));
}

function ignoreTaken(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
}
