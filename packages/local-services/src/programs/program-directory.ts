import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { publishDirectory, reachablePlace, unfinishedPlace } from '../system/reachable-place.js';
import { accountCan, type ServerAccount } from '../system/server-account.js';

const run = promisify(execFile);

/**
 * Returns a directory of programs that the account can run: `source` itself, or a copy of it.
 *
 * @param probe shell command that runs one of the programs; `$1` is the directory
 */
export async function programDirectory(
  source: string,
  probe: string,
  account: ServerAccount,
): Promise<string> {
  if (account.switchTo === undefined || (await accountCan(account, probe, source))) return source;
  const copy = reachablePlace('programs', source);
  if (await accountCan(account, probe, copy)) return copy;
  const unfinished = unfinishedPlace(copy);
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await cp(source, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', unfinished]);
  await publishDirectory(unfinished, copy);
  return copy;
}
