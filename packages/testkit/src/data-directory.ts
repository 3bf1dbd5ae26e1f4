import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A temporary directory that servers under another account can reach. The caller removes it. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'solegate-tests-'));
  await chmod(directory, 0o755);
  return directory;
}

/** Copies a data directory with owners and modes. Files that a running server removes meanwhile are left out. */
export async function copyDirectory(source: string, target: string): Promise<void> {
  await run('cp', ['-a', source, target], { env: { ...process.env, LC_ALL: 'C' } }).catch(
    (error: unknown) => {
      const complaints =
        error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : [];
      const onlyVanished =
        complaints.length > 0 && complaints.every((line) => line.endsWith('No such file or directory'));
      if (!onlyVanished) throw error;
    },
  );
}

/** Removes what is in a directory and keeps the directory, which belongs to the server's account. */
export async function emptyDirectory(directory: string): Promise<void> {
  const names = await readdir(directory);
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}
