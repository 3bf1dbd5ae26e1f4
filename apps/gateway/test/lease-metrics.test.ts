import { expect, test } from '@jest/globals';
import { createTsidGenerator } from '@solegate/tsid-core';
import { developmentNode, type NodeLeaseEvent } from '@solegate/tsid-core/node-lease';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { leaseObserver, registerLeaseMetrics } from '../src/operations/lease-metrics.js';

const EVENTS: readonly NodeLeaseEvent[] = [
  { kind: 'LEASED', node: 3, floorMs: 1, ceilingMs: 2 },
  { kind: 'RENEWED', node: 3, ceilingMs: 3, latencyMs: 1 },
  { kind: 'RENEWAL_FAILED', node: 3, windowLeftMs: 9, cause: new Error('away') },
  { kind: 'CLOCK_DIFFERENCE', differenceMs: 3_600_000, limitMs: 5_000 },
  { kind: 'LOST', node: 3, reason: 'LOST', detail: 'taken' },
  { kind: 'CLAIM_FAILED', retryInMs: 500, cause: new Error('away') },
  { kind: 'QUARANTINED', leftMs: 35_000, reason: 'RESTARTED' },
  { kind: 'QUARANTINED', leftMs: 2_000, reason: 'IDLE' },
  { kind: 'RELEASED', node: 3 },
  { kind: 'WARNING', message: 'Redis forgets the leases when it restarts' },
];

test('every lease event is counted and logged at its level', async () => {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const registry = new Registry();
  const observer = leaseObserver(registry, logger);
  for (const event of EVENTS) observer(event);
  const metrics = (await registry.metrics()).split('\n');
  for (const { kind } of EVENTS) {
    const count = EVENTS.filter((event) => event.kind === kind).length;
    expect(metrics).toContain(`solegate_tsid_lease_events_total{kind="${kind}"} ${count}`);
  }
  const levelOf = (text: string) => lines.find(({ msg }) => msg.includes(text))?.level;
  expect(lines).toHaveLength(EVENTS.length);
  expect(levelOf('clocks of this machine')).toBe(pino.levels.values.error);
  expect(levelOf('was lost')).toBe(pino.levels.values.error);
  expect(levelOf('might have lost leases')).toBe(pino.levels.values.warn);
  expect(levelOf('no node was in use')).toBe(pino.levels.values.info);
  expect(levelOf('node 3 was leased')).toBe(pino.levels.values.info);
});

test('measurements of a lease and its generator are exported', async () => {
  const lease = developmentNode({ production: false, random: () => 7 });
  let now = Date.now();
  const generator = createTsidGenerator({
    lease,
    now: () => now,
    overflow: { borrowMaxMs: 10 },
    randomStart: false,
  });
  const registry = new Registry();
  registerLeaseMetrics(registry, () => [
    {
      health: () => lease.health(),
      windowMs: 30_000,
      overflowCount: generator.overflowCount,
      mintedCount: 7,
    },
  ]);
  generator.fill(new BigUint64Array(4_096 * 3));
  now += 1;
  const metrics = (await registry.metrics()).split('\n');
  expect(metrics).toContain('solegate_tsid_node 7');
  expect(metrics).toContain('solegate_tsid_lease_window_seconds 30');
  expect(metrics).toContain('solegate_tsid_lease_healthy 1');
  expect(metrics).toContain('solegate_tsid_overflows_total 2');
  generator.close();
  await lease.release();
});

test('a process without a node reports that it cannot mint IDs, and nothing about a window', async () => {
  const registry = new Registry();
  registerLeaseMetrics(registry, () => [
    { health: () => ({}), windowMs: 30_000, overflowCount: 0, mintedCount: 0 },
  ]);
  const metrics = (await registry.metrics()).split('\n');
  expect(metrics).toContain('solegate_tsid_lease_healthy 0');
  expect(metrics.filter((line) => /^solegate_tsid_(lease_seconds_left|free_nodes|node) /.test(line))).toEqual(
    [],
  );
});
