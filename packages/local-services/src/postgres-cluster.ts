import { execFile } from 'node:child_process';
import { access, chown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataDirectory } from './data-directory.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { publishDirectory, unfinishedPlace } from './reachable-place.js';
import { ServerStartError } from './start-failure.js';

const run = promisify(execFile);

/** The superuser of every cluster made here. Connections are trusted: only loopback can reach the server. */
export const POSTGRES_USER = 'solegate';

/** Whether the directory holds a PostgreSQL cluster already. */
export function isCluster(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a cluster in the directory. It appears complete or not at all: initdb works on a directory beside it, so that neither
 * a death half-way nor a second process that does the same leaves something that looks like a cluster and is none.
 *
 * @param sync false leaves the new files to the system's own writing, for data that need not survive a power cut
 */
export async function createCluster(
  { path: dataDir, account }: DataDirectory,
  programs: PostgresPrograms,
  { sync }: { sync: boolean },
): Promise<void> {
  const unfinished = unfinishedPlace(dataDir);
  await mkdir(unfinished, { mode: 0o700 });
  if (account.switchTo !== undefined) {
    await chown(unfinished, account.switchTo.uid, account.switchTo.gid);
  }
  try {
    await run(programs.initdb, initdbArguments(unfinished, sync), { ...account.switchTo, cwd: unfinished });
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw new ServerStartError('PostgreSQL', 'initdb failed', said.trim(), { cause });
  }
  await publishDirectory(unfinished, dataDir);
  if (!(await isCluster(dataDir))) {
    const content = (await readdir(dataDir)).join(', ');
    throw new ServerStartError('PostgreSQL', `${dataDir} holds other files: ${content}`, '');
  }
}

function initdbArguments(directory: string, sync: boolean): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${POSTGRES_USER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ];
}
