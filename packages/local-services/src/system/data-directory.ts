import { chown, mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ignoreTaken, reachablePlace } from './reachable-place.js';
import { accountCan, type ServerAccount, serverAccount } from './server-account.js';
import { DataForeignError } from './start-failure.js';

export interface DataDirectory {
  /** Actual location of the data. */
  readonly path: string;
  /** The owner, under which the server has to run. */
  readonly account: ServerAccount;
  /** The caller did not name a directory; this one is removed with the server. */
  readonly isTemporary: boolean;
  /** Removes a temporary directory; does nothing if the caller named it. */
  discard(): Promise<void>;
}

/** In memory, on Linux; small in containers that do not ask for more. */
const MEMORY = '/dev/shm';
/** Several times what all servers of a test run hold at once. */
const MEMORY_MIN_BYTES = 4 * 2 ** 30;

/**
 * Where temporary data belong: in TMPDIR if it is set, else in memory if plenty is free, else on disk. On a disk, a new
 * cluster of PostgreSQL takes twice the time, most of it in the kernel.
 */
export async function temporaryPlace(memory = MEMORY, freeMinBytes = MEMORY_MIN_BYTES): Promise<string> {
  const { TMPDIR } = process.env;
  if (TMPDIR) return TMPDIR;
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => Math.min(bavail * bsize, process.availableMemory()),
    () => 0,
  );
  return free >= freeMinBytes ? memory : tmpdir();
}

/**
 * Returns a directory that the server's account owns and can reach: `wanted`, created if necessary, or its
 * replacement; without `wanted`, a temporary one.
 *
 * @throws DataForeignError if it holds another user's data and we are not root
 */
export async function openDataDirectory(wanted?: string): Promise<DataDirectory> {
  const asked = resolve(wanted ?? (await mkdtemp(join(await temporaryPlace(), 'solegate-'))));
  const path = await ownedDirectory(asked, await serverAccount());
  return {
    path,
    account: await accountOf(path),
    isTemporary: wanted === undefined,
    async discard() {
      if (wanted !== undefined) return;
      for (const directory of [path, asked]) await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ownedDirectory(wanted: string, account: ServerAccount): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  const isReachable = await accountCan(account, 'cd "$1"', dirname(wanted));
  const directory = isReachable ? wanted : reachablePlace('data', wanted);
  await mkdir(dirname(directory), { recursive: true, mode: 0o755 });
  await mkdir(directory, { mode: 0o700 }).catch(ignoreTaken);
  if (account.switchTo === undefined) await refuseForeign(directory);
  else if ((await readdir(directory)).length === 0) {
    await chown(directory, account.switchTo.uid, account.switchTo.gid);
  }
  return directory;
}

async function refuseForeign(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (uid !== process.getuid?.()) throw new DataForeignError(directory, uid);
}

/** Root uses the account that owns existing data; all other users can only use their own. */
async function accountOf(directory: string): Promise<ServerAccount> {
  const account = await serverAccount();
  if (account.switchTo === undefined) return account;
  const { uid, gid } = await stat(directory);
  return uid === 0 ? account : { switchTo: { uid, gid } };
}
