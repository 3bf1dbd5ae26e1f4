import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serverAccount } from '../system/server-account.js';
import { ProgramMissingError } from '../system/start-failure.js';
import { type DebianProgram, unpackDebianProgram } from './debian-program.js';

const run = promisify(execFile);

/** How to run a Redis; with `--sentinel` among its arguments the same program is a Sentinel. */
export interface RedisProgram {
  /** Absolute path. */
  readonly command: string;
  /** Environment that the program needs in addition to PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** `7.0.15`. */
  readonly version: string;
}

const DEBIAN_REDIS: DebianProgram = {
  packageName: 'redis-server',
  command: 'usr/bin/redis-server',
  usualPackages: ['redis-server', 'redis-tools', 'libatomic1', 'libjemalloc2', 'liblzf1'],
};

const ADVICE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Install it with `brew install redis`',
  linux: 'Install it (`apt install redis-server`, `dnf install redis`, `apk add redis`, `pacman -S valkey`)',
};

/**
 * Finds Redis or Valkey on PATH, else the distribution's package, unpacked below `<checkout>/.cache` (Debian,
 * Ubuntu; does not change the system or need root).
 *
 * @throws ProgramMissingError that says what to install
 */
export async function findRedisBinary(onProgress?: (step: string) => void): Promise<RedisProgram> {
  for (const name of ['redis-server', 'valkey-server']) {
    const found = await run('/bin/sh', ['-c', 'command -v "$1"', 'sh', name]).catch(() => undefined);
    if (found !== undefined) return withVersion(found.stdout.trim(), {});
  }
  const account = await serverAccount();
  try {
    const { command, env } = await unpackDebianProgram(DEBIAN_REDIS, account, onProgress);
    return await withVersion(command, env);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = ADVICE[process.platform] ?? 'Install it';
    throw new ProgramMissingError(
      'Redis',
      `${advice}, or set REDIS_URL to a Redis that runs elsewhere. (${reason})`,
      { cause },
    );
  }
}

async function withVersion(command: string, env: Readonly<Record<string, string>>): Promise<RedisProgram> {
  const { stdout } = await run(command, ['--version'], { env: { ...env } });
  return { command, env, version: /\bv=(\S+)/.exec(stdout)?.[1] ?? 'unknown' };
}
