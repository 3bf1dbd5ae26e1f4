import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Cluster } from 'ioredis';
import { type ClusterTestGroup, startRedisCluster } from '../src/index.js';

let group: ClusterTestGroup;
let client: Cluster;

beforeAll(async () => {
  group = await startRedisCluster({ masters: 3, replicasPerMaster: 1 });
  client = new Cluster(group.servers.map(({ port }) => ({ host: '127.0.0.1', port })));
  client.on('error', () => {});
});

afterAll(async () => {
  client.disconnect();
  await group.stop();
});

test('the URL names all nodes', () => {
  const ports = group.servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  expect(group.url).toBe(`redis+cluster://${ports}`);
});

test('keys are spread over three masters', async () => {
  const keys = Array.from({ length: 30 }, (_, index) => `key:${index}`);
  await Promise.all(keys.map((key) => client.set(key, key)));
  expect(await Promise.all(keys.map((key) => client.get(key)))).toEqual(keys);
  const masters = await Promise.all(keys.map((key) => group.masterOf(key)));
  expect(new Set(masters)).toEqual(new Set(group.servers.slice(0, 3)));
});

test('a script over two slots is refused', async () => {
  const [one, other] = ['{a}', '{b}'];
  expect(await group.masterOf(one)).not.toBe(await group.masterOf(other));
  await expect(client.eval('return 1', 2, one, other)).rejects.toThrow('CROSSSLOT');
});

test('a killed master is replaced by a replica with its data, and returns as a replica', async () => {
  const old = await group.masterOf('survivor');
  const writer = old.client();
  await writer.set('survivor', 'value');
  // Replication is asynchronous: an acknowledged write may still exist only on the master.
  expect(await writer.wait(1, 20_000)).toBe(1);
  const successor = await group.killMasterOf('survivor');
  expect(successor).not.toBe(old);
  expect(await group.masterOf('survivor')).toBe(successor);
  expect(await client.get('survivor')).toBe('value');
  await group.rejoin(old);
  expect((await old.client().role())[0]).toBe('slave');
});

test('a master without a replica cannot be replaced, and is not killed', async () => {
  await using bare = await startRedisCluster();
  await expect(bare.killMasterOf('key')).rejects.toThrow('has no replica');
  await expect(bare.masterOf('key')).resolves.toBeDefined();
});

test('fewer than three masters are refused', async () => {
  await expect(startRedisCluster({ masters: 2 })).rejects.toThrow(RangeError);
});
