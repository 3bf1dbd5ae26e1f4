import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { AccountMissingError } from './start-failure.js';

const run = promisify(execFile);

/**
 * The account that servers run under. PostgreSQL refuses to run as root, and a Redis that runs as root would lend root's
 * rights to everybody who can reach its port: as root, both are started as `nobody`.
 */
export interface ServerAccount {
  /** Set only when it differs from our own account: what `spawn` has to switch to. */
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

/** Our own account, or `nobody` when we are root. */
export async function serverAccount(): Promise<ServerAccount> {
  const uid = process.getuid?.();
  if (uid === 0) return { switchTo: await findNobody() };
  try {
    userInfo();
  } catch (cause) {
    throw new AccountMissingError(uid ?? -1, { cause });
  }
  return {};
}

/** Root may start existing data under whichever account it belongs to; anybody else only their own. */
export async function accountOf(dataDir: string): Promise<ServerAccount> {
  const own = await serverAccount();
  if (own.switchTo === undefined) return own;
  const { uid, gid } = await stat(dataDir);
  return uid === 0 ? own : { switchTo: { uid, gid } };
}

/** Whether the account can do what the shell command says; `$1` is `path`. Tried for real: modes, ACLs and mounts all count. */
export async function accountCan(account: ServerAccount, command: string, path: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', command, 'sh', path], { ...account.switchTo, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (entry === null) throw new AccountMissingError(0);
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}
