import { hostname } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { connectRedis } from '@solegate/redis-infra';
import { leaseNode } from '@solegate/tsid-core/node-lease';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** What operators can query about node IDs: the holder of each, and the process that minted an ID. */
const gateway = gatewayOfFile();

async function ask(query: string, as = 'admin-5'): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

const FLEET = `{ nodeFleet { nodeCount heldNodeCount freeNodeCount quarantineLeftMs readAt
  nodes { node state holder heldFrom heldUntil secondsLeft isMine } } }`;

describe('the fleet', () => {
  test('has a state for each of the 1,024 nodes, and a holder for those in use', async () => {
    const { nodeFleet } = await ask(FLEET);
    expect(nodeFleet).toMatchObject({
      nodeCount: 1_024,
      heldNodeCount: 1,
      freeNodeCount: 1_023,
      quarantineLeftMs: 0,
    });
    expect(nodeFleet.nodes.map(({ node }: Json) => node)).toEqual(Array.from({ length: 1_024 }, (_, i) => i));
    const mine = nodeFleet.nodes.find(({ isMine }: Json) => isMine);
    const others = nodeFleet.nodes.filter(({ isMine }: Json) => !isMine);
    expect(mine).toMatchObject({
      node: gateway.node,
      state: 'HELD',
      holder: expect.stringContaining(`${hostname()}:${gateway.pid}`),
      isMine: true,
    });
    expect(mine.secondsLeft).toBeGreaterThan(0);
    expect(Date.parse(mine.heldFrom)).toBeLessThanOrEqual(Date.parse(nodeFleet.readAt));
    expect(Date.parse(mine.heldUntil)).toBeGreaterThan(Date.parse(nodeFleet.readAt));
    for (const other of others) expect(other).toMatchObject({ state: 'FREE', holder: null, isMine: false });
    const { nodeFleet: held } = await ask('{ nodeFleet { nodes(state: HELD) { node } } }');
    expect(held.nodes).toEqual([{ node: gateway.node }]);
  });

  test('keeps the last holder of a free node', async () => {
    const redis = connectRedis({
      url: gateway.stores.redisUrl,
      purpose: 'decision',
      commandTimeoutMs: 60_000,
    });
    const lease = await leaseNode({ redis, holder: 'a guest', automatic: false });
    const { node } = lease;
    await lease.release();
    redis.disconnect();
    const nodeOf = async (): Promise<Json> => (await ask(FLEET)).nodeFleet.nodes[node ?? -1];
    for (let turn = 0; turn < 50 && (await nodeOf()).state !== 'FREE'; turn += 1);
    expect(await nodeOf()).toMatchObject({ state: 'FREE', holder: expect.stringContaining('a guest') });
  });

  test('is visible only to administrators', async () => {
    const { errors } = await gateway.ask(FLEET, { as: 'auditor-2' });
    expect(errors[0]?.extensions.reason).toBe('ROLE_MISSING');
  });
});

describe('an ID', () => {
  const HOLDER = '{ holder { holder heldFrom heldUntil } }';

  test('shows administrators the process that held its node when it was minted', async () => {
    const {
      generateTsids: {
        ids: [id],
      },
    } = await ask('mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }');
    const { tsid } = await ask(`{ tsid(id: "${id}") ${HOLDER} }`);
    expect(tsid.holder.holder).toContain(`${hostname()}:${gateway.pid}`);
    expect((await ask(`{ tsid(id: "${id}") ${HOLDER} }`, 'driver-1')).tsid.holder).toBeNull();
  });

  test.each([
    ['minted before its node was leased', '4194304'],
    ['from the future', '9223372036854775807'],
  ])('%s has no known holder', async (_what, id) => {
    expect((await ask(`{ tsid(id: "${id}") ${HOLDER} }`)).tsid.holder).toBeNull();
  });
});
