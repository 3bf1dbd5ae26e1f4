import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type UnpackedProgram, unpackDebianProgram } from '@solegate/local-services';

/** nginx from PATH, else the distribution's package, unpacked below `.cache` like Redis. */
export async function findNginx(): Promise<UnpackedProgram> {
  const found = await promisify(execFile)('/bin/sh', ['-c', 'command -v nginx']).catch(() => undefined);
  if (found) return { command: found.stdout.trim(), env: {} };
  try {
    return await unpackDebianProgram(
      { packageName: 'nginx', command: 'usr/sbin/nginx', usualPackages: ['nginx', 'nginx-common'] },
      {},
    );
  } catch (cause) {
    throw new Error('The tests of the balancer need nginx: brew install nginx, or the like', { cause });
  }
}
