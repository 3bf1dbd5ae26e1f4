import { access, chown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresPrograms } from '../programs/postgres-programs.js';
import type { DataDirectory } from '../system/data-directory.js';
import { runGuarded } from '../system/guarded-process.js';
import { publishDirectory, unfinishedPlace } from '../system/reachable-place.js';
import { ServerStartError } from '../system/start-failure.js';

/** The superuser of every cluster created here. Connections are trusted: only loopback can reach the server. */
export const POSTGRES_USER = 'solegate';

/** Whether the directory contains a PostgreSQL cluster. */
export function isCluster(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a cluster in the directory. It appears complete or not at all: initdb works in a sibling directory,
 * so that neither a crash half-way nor a concurrent process leaves an incomplete cluster.
 *
 * @param sync false does not flush the new files to disk, for data that need not survive a power cut
 */
export async function createCluster(
  { path: dataDir, account }: DataDirectory,
  programs: PostgresPrograms,
  { sync }: { sync: boolean },
): Promise<void> {
  const workshop = unfinishedPlace(dataDir);
  await mkdir(workshop, { mode: 0o700 });
  try {
    if (account.switchTo !== undefined) await chown(workshop, account.switchTo.uid, account.switchTo.gid);
    const cluster = join(workshop, 'cluster');
    await runGuarded({
      service: 'initdb',
      command: programs.initdb,
      args: initdbArguments(cluster, sync),
      account,
      directory: workshop,
      isTemporary: true,
      endSignals: ['SIGTERM'],
    });
    await publishDirectory(cluster, dataDir);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
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
