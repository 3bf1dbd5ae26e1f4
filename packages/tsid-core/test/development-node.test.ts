import { describe, expect, test } from '@jest/globals';
import { createTsidGenerator } from '../src/index.js';
import { developmentNode, type NodeLeaseEvent } from '../src/node-lease/index.js';

describe('a development node', () => {
  test('is refused in production', () => {
    const refused = expect.objectContaining({ code: 'DEVELOPMENT_NODE_REFUSED' });
    expect(() => developmentNode({ production: true })).toThrow(refused);
  });

  test('is random, warns, reports that in its health, and ends like a leased one', async () => {
    const events: NodeLeaseEvent[] = [];
    const observer = (event: NodeLeaseEvent) => events.push(event);
    const lease = developmentNode({ production: false, random: (below) => below - 1, observer });
    expect(events).toEqual([{ kind: 'warning', message: expect.stringContaining('node 1023 is random') }]);
    expect(lease.health()).toMatchObject({ state: 'development', healthy: true, node: 1_023 });
    const generator = createTsidGenerator({ lease, overflow: { borrowMaxMs: 1_000 } });
    expect(generator.explain(generator.next()).node).toBe(1_023);
    await lease.ready(0);
    await lease.renew();
    lease.subscribe(observer)();
    await lease.release();
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'released' }));
    expect(lease.health()).toMatchObject({ state: 'released', healthy: false, node: undefined });
    generator.close();
  });

  test('differs from start to start', () => {
    const nodes = Array.from({ length: 50 }, () => developmentNode({ production: false }).node);
    expect(new Set(nodes).size).toBeGreaterThan(20);
  });
});
