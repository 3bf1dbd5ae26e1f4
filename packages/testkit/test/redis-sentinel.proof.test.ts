import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SentinelTestGroup, startSentinel } from '../src/index.js';

let group: SentinelTestGroup;

beforeAll(async () => {
  group = await startSentinel({ replicas: 2, sentinels: 3 });
});

afterAll(() => group.stop());

test('the URL names all sentinels and the master', () => {
  const ports = group.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  expect(group.url).toBe(`redis+sentinel://${ports}/${group.masterName}/0`);
  expect(group.servers).toHaveLength(3);
});

test('the first server is the master, and its replicas have its data', async () => {
  const master = await group.master();
  expect(master).toBe(group.servers[0]);
  const client = master.client();
  await client.set('key', 'value');
  expect(await client.wait(2, 20_000)).toBe(2);
});

test('a killed master is replaced by a replica with its data, and returns as a replica', async () => {
  const old = await group.master();
  const successor = await group.killMaster();
  expect(successor).not.toBe(old);
  expect(await successor.client().get('key')).toBe('value');
  await group.rejoin(old);
  expect((await old.client().role())[0]).toBe('slave');
});

test('a planned failover moves the master', async () => {
  const old = await group.master();
  const successor = await group.failover();
  expect(successor).not.toBe(old);
  expect(await successor.client().set('key', 'written after')).toBe('OK');
});

test('without a majority of the sentinels there is no master', async () => {
  await Promise.all(group.sentinels.slice(0, 2).map((sentinel) => sentinel.kill()));
  await expect(group.master()).rejects.toThrow(
    'The sentinels do not agree on a master: no answer, no answer',
  );
});
