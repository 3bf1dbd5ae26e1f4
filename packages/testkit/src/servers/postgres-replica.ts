import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import { until } from '../judging/until.js';
import { copyDirectory, emptyDirectory } from '../processes/data-directory.js';

export interface ReplicaOptions {
  /** Whether commits of the primary wait for this replica. */
  readonly synchronous: boolean;
  /** URL of a fault proxy in front of the primary, to make the replica lag (`blackHole`) or cut it off (`reset`). */
  readonly through?: string;
}

/** Files of a running server that must not be copied with its data. */
const RUNTIME_FILES = ['postmaster.pid', 'postmaster.opts', 'server.lock', 'server.log'];

/**
 * Copies a running primary to `dataDir`, ready to start as its replica. The copy is taken between the start and the end
 * of an online backup, whose label marks where replay begins; a replication slot keeps the write-ahead log until then.
 */
export async function copyAsReplica(
  primary: { readonly url: string; readonly dataDir: string },
  { name, dataDir, through }: { name: string; dataDir: string; through: string | undefined },
): Promise<void> {
  const session = new Client({ connectionString: primary.url, application_name: 'testkit backup' });
  await session.connect();
  try {
    await session.query('SELECT pg_create_physical_replication_slot($1, true)', [name]);
    await session.query('SELECT pg_backup_start($1, true)', [name]);
    await copyDirectory(primary.dataDir, dataDir);
    const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop(false)');
    for (const file of RUNTIME_FILES) await rm(join(dataDir, file), { force: true });
    await emptyDirectory(join(dataDir, 'pg_replslot'));
    await writeOwned(dataDir, 'backup_label', rows[0].labelfile);
    await writeOwned(dataDir, 'standby.signal', '');
    await appendFile(join(dataDir, 'postgresql.auto.conf'), settings(name, through ?? primary.url));
  } finally {
    await session.end();
  }
}

/** Waits until the replica has replayed all that the primary has written and, if asked for, is synchronous. */
export async function untilStreaming(primary: Pool, name: string, isSynchronous: boolean): Promise<void> {
  const { rows } = await primary.query('SELECT pg_current_wal_flush_lsn() AS position');
  const hasCaughtUp = async () => {
    const { rowCount } = await primary.query(STREAMING, [name, rows[0].position, isSynchronous]);
    return rowCount === 1;
  };
  await until(hasCaughtUp, { timeoutMs: 60_000, what: `Streaming replication to ${name}` });
}

const STREAMING = `
  SELECT FROM pg_stat_replication
   WHERE application_name = $1 AND state = 'streaming' AND replay_lsn >= $2::pg_lsn
     AND ($3 = false OR sync_state = 'sync')`;

/** The copied settings might require synchronous replicas, which the copy does not have. */
function settings(name: string, primaryUrl: string): string {
  const { hostname, port, username } = new URL(primaryUrl);
  const connection = `host=${hostname} port=${port} user=${username} application_name=${name}`;
  return [
    `primary_conninfo = '${connection}'`,
    `primary_slot_name = '${name}'`,
    "synchronous_standby_names = ''",
    '',
  ].join('\n');
}

/** Files we add must belong to the server's account, which has to sync and remove them. */
async function writeOwned(dataDir: string, file: string, content: string): Promise<void> {
  const path = join(dataDir, file);
  await writeFile(path, content, { mode: 0o600 });
  const { uid, gid } = await stat(dataDir);
  await chown(path, uid, gid);
}
