import { dirname, join } from 'node:path';
import { serverAccount, type UnpackedProgram, unpackDebianProgram } from '@solegate/local-services';

/** The programs for automatic failover: Debian's packages, unpacked below `.cache` like Redis. */
export interface PatroniPrograms {
  readonly patroni: UnpackedProgram;
  readonly etcd: UnpackedProgram;
  readonly haproxy: UnpackedProgram;
}

/** Debian 12's own, 3.0.2, has a bug that docs/operations/failover.md describes. */
const PATRONI = {
  packageName: 'patroni',
  release: 'trixie',
  command: 'usr/bin/patroni',
  usualPackages: [
    'patroni',
    'python3-cdiff',
    'python3-click',
    'python3-dateutil',
    'python3-dnspython',
    'python3-etcd',
    'python3-pkg-resources',
    'python3-prettytable',
    'python3-psutil',
    'python3-psycopg2',
    'python3-six',
    'python3-urllib3',
    'python3-wcwidth',
    'python3-yaml',
  ],
};
const ETCD = { packageName: 'etcd-server', command: 'usr/bin/etcd', usualPackages: ['etcd-server'] };
const HAPROXY = {
  packageName: 'haproxy',
  command: 'usr/sbin/haproxy',
  usualPackages: ['haproxy', 'liblua5.3-0', 'libopentracing1', 'libopentracing-c-wrapper0'],
};

/** @throws Error if the distribution has no such packages; Debian 12 has them */
export async function findPatroniPrograms(onProgress: (step: string) => void): Promise<PatroniPrograms> {
  const account = await serverAccount();
  const { command, env } = await unpackDebianProgram(PATRONI, account, onProgress);
  const modules = join(dirname(command), '../lib/python3/dist-packages');
  return {
    patroni: { command, env: { ...env, PYTHONPATH: modules } },
    etcd: await unpackDebianProgram(ETCD, account, onProgress),
    haproxy: await unpackDebianProgram(HAPROXY, account, onProgress),
  };
}
