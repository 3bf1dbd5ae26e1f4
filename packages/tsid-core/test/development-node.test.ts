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
    expect(events).toEqual([{ kind: 'WARNING', message: expect.stringContaining('node 1023 is random') }]);
    expect(lease.health()).toMatchObject({ state: 'DEVELOPMENT', healthy: true, node: 1_023 });
    const generator = createTsidGenerator({ lease, overflow: { borrowMaxMs: 1_000 } });
    expect(generator.explain(generator.next()).node).toBe(1_023);
    await lease.ready(0);
    await lease.renew();
    lease.subscribe(observer)();
    await lease.release();
    expect(() => generator.next()).toThrow(expect.objectContaining({ reason: 'RELEASED' }));
    expect(lease.health()).toMatchObject({ state: 'RELEASED', healthy: false, node: undefined });
    generator.close();
  });

  test('refuses an option that does not exist', () => {
    const options = { production: false, nameSpace: 'mine' };
    expect(() => developmentNode(options)).toThrow(/no option nameSpace: use .*namespace/);
  });

  test('differs from start to start', () => {
    const nodes = Array.from({ length: 50 }, () => developmentNode({ production: false }).node);
    expect(new Set(nodes).size).toBeGreaterThan(20);
  });
});
