import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryPlace } from '@solegate/local-services';
import { cleanUpAtExit } from './exit-cleanup.js';

const run = promisify(execFile);

/** Removed when this process ends, however it ends, if not before. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a temporary directory that servers under another account can reach. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(await temporaryPlace(), 'solegate-tests-'));
  const takeBack = cleanUpAtExit(path);
  await chmod(path, 0o755);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      takeBack();
    },
  };
}

/** Starts a server in a temporary directory, which is removed again if the server does not start. */
export async function inTemporaryDirectory<Started>(
  start: (directory: TemporaryDirectory) => Promise<Started>,
): Promise<Started> {
  const directory = await temporaryDirectory();
  try {
    return await start(directory);
  } catch (error) {
    await directory.remove();
    throw error;
  }
}

/**
 * Copies a data directory with owners and modes. Skips files that a running server removes meanwhile; if it replaces one
 * that is being copied, the whole copy begins anew.
 */
export async function copyDirectory(source: string, target: string): Promise<void> {
  await access(source);
  for (;;) {
    const error = await run('cp', ['-a', source, target], { env: { ...process.env, LC_ALL: 'C' } }).then(
      () => undefined,
      (reason: Error & { readonly stderr?: string }) => reason,
    );
    const complaints = error?.stderr?.trim().split('\n') ?? [];
    const replaced = complaints.filter((line) => line.endsWith('was replaced while being copied'));
    const vanished = complaints.filter((line) => line.endsWith('No such file or directory'));
    const isExpected = complaints.length > 0 && complaints.length === replaced.length + vanished.length;
    if (error !== undefined && !isExpected) throw error;
    if (replaced.length === 0) return;
    await rm(target, { recursive: true });
  }
}

/** Removes the content of a directory but keeps the directory, which belongs to the server's account. */
export async function emptyDirectory(directory: string): Promise<void> {
  const names = await readdir(directory);
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}
