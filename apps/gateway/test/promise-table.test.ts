import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PARTS, PROMISES, type PromiseFacts, promiseStatuses } from '../src/operations/promise-table.js';

const CEILING_MS = Date.UTC(2026, 0, 1);
const HELD = { healthy: true, ceilingMs: CEILING_MS };

function statusOf(promise: keyof typeof PROMISES, facts: Partial<PromiseFacts>) {
  const parts = ['postgres', 'redis', 'nodeLease'];
  const found = promiseStatuses({ parts, away: [], nodeStore: 'redis', lease: HELD, ...facts });
  return found.find((status) => status.promise === promise);
}

const redisAway = [{ part: 'redis', reason: 'Redis does not answer' }];

describe('the status of a promise', () => {
  test('is that it works, without limits, while every part passes its probe', () => {
    for (const promise of Object.keys(PROMISES) as (keyof typeof PROMISES)[]) {
      expect(statusOf(promise, {})).toEqual({ promise, works: true, limits: [] });
    }
  });

  test('of IDs ends with the window while the store that grants nodes is away', () => {
    const until = new Date(CEILING_MS);
    expect(statusOf('IDS', { away: redisAway })).toMatchObject({ works: true, until });
    const postgres = { nodeStore: 'postgres' } as const;
    expect(statusOf('IDS', { ...postgres, away: redisAway })).toEqual({
      promise: 'IDS',
      works: true,
      limits: [],
    });
    const away = [{ part: 'postgres', reason: 'PostgreSQL does not answer' }];
    expect(statusOf('IDS', { ...postgres, away })).toMatchObject({ works: true, until });
  });

  test('of IDs has no known end while one of several databases that grant nodes is away', () => {
    const parts = ['postgres north', 'postgres south', 'redis', 'nodeLease north', 'nodeLease south'];
    const away = [{ part: 'postgres south', reason: 'PostgreSQL does not answer' }];
    const status = statusOf('IDS', { parts, away, nodeStore: 'postgres' });
    expect(status).toMatchObject({
      works: true,
      limits: [{ part: 'postgres south' }, { part: 'postgres south' }],
    });
    expect(status?.until).toBeUndefined();
  });

  test('of IDs is that they do not work without a node, whatever the window was', () => {
    const away = [...redisAway, { part: 'nodeLease', reason: 'no node ID is leased' }];
    const status = statusOf('IDS', { away, lease: { healthy: false, ceilingMs: CEILING_MS } });
    expect(status).toMatchObject({ works: false });
    expect(status?.until).toBeUndefined();
  });

  test('of numbers is that they work while one of several databases answers, with what is refused', () => {
    const parts = ['postgres north', 'postgres south', 'redis', 'nodeLease'];
    const north = { part: 'postgres north', reason: 'PostgreSQL does not answer' };
    const one = statusOf('NUMBERS', { parts, away: [north] });
    expect(one).toMatchObject({ works: true, limits: [{ ...north, ...PARTS.postgres }] });
    const both = statusOf('NUMBERS', { parts, away: [north, { ...north, part: 'postgres south' }] });
    expect(both?.works).toBe(false);
  });
});

describe('the table', () => {
  const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

  test('is the one in the runbook', () => {
    const works = (does: boolean) => (does ? 'works' : 'does not work');
    const rows = Object.entries(PROMISES).map(([name, { what, without }]) => {
      const effects = Object.entries(without).map(
        ([part, { works: does, effect }]) => `\`${part}\`: **${works(does)}**. ${effect}`,
      );
      return `| ${name} | ${what} | ${effects.join('<br>')} |`;
    });
    const actions = Object.entries(PARTS).map(
      ([part, { action, alert }]) => `| \`${part}\` | ${action} | \`${alert}\` |`,
    );
    const runbook = textOf('docs/operations/runbook.md');
    for (const row of [...rows, ...actions]) expect(runbook).toContain(`${row}\n`);
  });

  test('names alerts that exist', () => {
    const alerts = textOf('docker/observability/alerts.yml');
    for (const { alert } of Object.values(PARTS)) expect(alerts).toContain(`- alert: ${alert}\n`);
  });
});
