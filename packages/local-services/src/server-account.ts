import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { AccountMissingError, AccountSwitchError } from './start-failure.js';

const run = promisify(execFile);

/** What Linux and its relatives agreed on for a user who owns nothing. */
const NOBODY = 65_534;

/**
 * The account that servers run under. PostgreSQL refuses to run as root, and a Redis that runs as root
 * would lend root's rights to everybody who can reach its port: as root, both are started as `nobody`.
 */
export interface ServerAccount {
  /** Set only when it differs from our own account: what `spawn` has to switch to. */
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

/**
 * Our own account, or `nobody` when we are root.
 *
 * @throws AccountSwitchError when we are a root that may not become anybody else
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
 * PostgreSQL looks its user up by name and refuses to run without one, as in a container that was given a
 * bare number.
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
 * Whether the account can do what the shell command says; `$1` is `path`. Tried for real: modes, ACLs and
 * mounts all count.
 */
export async function accountCan(account: ServerAccount, command: string, path: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', command, 'sh', path], { ...account.switchTo, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}
