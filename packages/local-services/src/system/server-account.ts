import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { AccountMissingError, AccountSwitchError } from './start-failure.js';

const run = promisify(execFile);

/** The conventional user ID of `nobody`. */
const NOBODY = 65_534;

/**
 * The account that servers run under. PostgreSQL refuses to run as root, and a Redis that runs as root
 * would give root's rights to anyone who can reach its port. So root starts both as `nobody`.
 */
export interface ServerAccount {
  /** The account that `spawn` has to switch to; set only if it differs from our own. */
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

/**
 * Returns our own account, or `nobody` if we are root.
 *
 * @throws AccountSwitchError if we are root but not allowed to switch users
 */
export async function serverAccount(): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return {};
  const nobody = await findNobody();
  if (await accountCan(nobody, 'true', '')) return nobody;
  throw new AccountSwitchError(nobody.switchTo.uid);
}

async function findNobody() {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid = NOBODY, gid = NOBODY] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? [];
  return { switchTo: { uid: Number(uid), gid: Number(gid) } };
}

/**
 * Checks that the user ID has a name. PostgreSQL refuses to run without one, as in a container that is started
 * with a bare user ID.
 *
 * @throws AccountMissingError
 */
export function requireNamedUser(lookUp: () => unknown = userInfo): void {
  try {
    lookUp();
  } catch (cause) {
    throw new AccountMissingError(process.getuid?.() ?? -1, { cause });
  }
}

/**
 * Whether the shell command succeeds under the account; `$1` is `path`. The command is really run, so modes,
 * ACLs and mounts all count.
 */
export async function accountCan(account: ServerAccount, command: string, path: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', command, 'sh', path], { ...account.switchTo, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
