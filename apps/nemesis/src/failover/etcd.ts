import { join } from 'node:path';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

/** Where the etcd of a machine listens. */
export interface EtcdAddress {
  readonly name: string;
  /** For Patroni. */
  readonly url: string;
  /** For the other two. */
  readonly peerUrl: string;
}

export async function freeEtcdAddress(name: string): Promise<EtcdAddress> {
  return {
    name,
    url: `http://127.0.0.1:${await freePort()}`,
    peerUrl: `http://127.0.0.1:${await freePort()}`,
  };
}

/** The arguments of one etcd of the cluster. */
export function etcdArguments(own: EtcdAddress, directory: string, all: readonly EtcdAddress[]): string[] {
  return [
    `--name=${own.name}`,
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${own.url}`,
    `--advertise-client-urls=${own.url}`,
    `--listen-peer-urls=${own.peerUrl}`,
    `--initial-advertise-peer-urls=${own.peerUrl}`,
    `--initial-cluster=${all.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',')}`,
  ];
}

/** Until the three have agreed on a version, a Patroni that starts takes them for an older etcd, and exits. */
export async function untilAgreed(all: readonly EtcdAddress[]): Promise<void> {
  const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');
  const haveAgreed = async () => {
    const answers = await Promise.all(all.map(({ url }) => fetch(`${url}/version`)));
    const versions = (await Promise.all(answers.map((answer) => answer.json()))) as readonly Version[];
    return versions.every(({ etcdserver, etcdcluster }) => minorOf(etcdserver) === minorOf(etcdcluster));
  };
  await until(haveAgreed, { timeoutMs: 60_000, intervalMs: 100, what: 'three etcd' });
}

/** As `GET /version` of etcd says it. */
interface Version {
  readonly etcdserver: string;
  readonly etcdcluster: string;
}
