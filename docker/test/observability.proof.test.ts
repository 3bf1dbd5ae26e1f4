import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  type GatewayProcess,
  type TestDatabase,
  type TestRedis,
  until,
} from '@solegate/testkit';
import { parse } from 'yaml';
import { startComposedGateway } from './composed-gateway.js';
import { dockerFolder, readText } from './deployment-files.js';
import { migrateForRuntime } from './migrated-database.js';
import { findProgram, type Monitor } from './monitoring-programs.js';
import { type PrometheusServer, startAlertmanager, startPrometheus } from './prometheus-server.js';
import { type StubGateway, startStubGateway } from './stub-gateway.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly for?: string;
      readonly labels: { readonly severity: string };
    }[];
  }[];
}

const rules = (parse(readText('observability/alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const alertNames = rules.map(({ alert }) => alert).toSorted((left, right) => left.localeCompare(right));
const dashboard = readText('observability/grafana/solegate.json');

const run = promisify(execFile);

interface RuleTests {
  readonly tests: readonly { readonly name: string }[];
}

const UNITS = { s: 1, m: 60, min: 60 };

/** Reads `30s`, `2m`, `30 s` and `1.5 min`. */
function secondsOf(time = ''): number {
  const [, count, unit] = /^([\d.]+) ?(s|min|m)\b/.exec(time) ?? [];
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** A transaction that has been open for a minute when the series of its test begin. */
const AGES: Readonly<Record<string, number>> = { SolegateOldSnapshot: 60 };

/**
 * Tests of the times of the runbook, in simulated time and with the intervals of production: at the end, an alert fires in time
 * for one more scrape before it and for the wait of its route after it. Shortly before the time in its rule has passed, it does
 * not fire.
 */
function testsOfTimes(): object {
  const { global } = parse(readText('observability/prometheus.yml'));
  const { route } = parse(readText('observability/alertmanager.yml'));
  const { tests, ...settings } = parse(readText('observability/alerts.test.yml')) as RuleTests;
  const rows = [
    ...readText('../docs/operations/runbook.md').matchAll(/^\| [^|]+ \| `(\w+)` \| (\w+) \| (.+) \|$/gm),
  ];
  expect(rows).toHaveLength(10);
  const timed = rows.map(([, alert = '', severity, within]) => {
    const rule = rules.find((one) => one.alert === alert);
    expect([alert, rule?.labels.severity]).toEqual([alert, severity]);
    const { group_wait } = {
      ...route,
      ...route.routes.find(({ receiver }: { receiver: string }) => receiver === severity),
    };
    const endsAt =
      secondsOf(within) - secondsOf(group_wait) - secondsOf(global.scrape_interval) - (AGES[alert] ?? 0);
    const fires = `ALERTS{alertname="${alert}",alertstate="firing"}`;
    return {
      ...tests.find(({ name }) => name === alert),
      promql_expr_test: [
        { expr: `count(${fires})`, eval_time: `${secondsOf(rule?.for) - 1}s`, exp_samples: [] },
        { expr: `count(${fires})`, eval_time: `${endsAt}s`, exp_samples: [{ labels: '{}', value: 1 }] },
      ],
    };
  });
  return {
    ...settings,
    rule_files: [fileURLToPath(new URL('observability/alerts.yml', dockerFolder))],
    evaluation_interval: global.evaluation_interval,
    tests: timed,
  };
}

describe('the alerts', () => {
  test('parse, fire for their cause, and do not fire for similar ones', async () => {
    const promtool = await findProgram('promtool');
    const folder = fileURLToPath(new URL('observability/', dockerFolder));
    const options = { cwd: folder, env: { ...process.env, ...promtool.env } };
    await run(promtool.command, ['check', 'config', '--syntax-only', 'prometheus.yml'], options);
    await run(promtool.command, ['check', 'rules', 'alerts.yml'], options);
    await run(promtool.command, ['test', 'rules', 'alerts.test.yml'], options);
  });

  test('of the ten faults fire within the time that the runbook states', async () => {
    const promtool = await findProgram('promtool');
    const folder = await mkdtemp(join(tmpdir(), 'solegate-alerts-'));
    // JSON is valid YAML.
    await writeFile(join(folder, 'times.test.yml'), JSON.stringify(testsOfTimes()));
    const options = { cwd: folder, env: { ...process.env, ...promtool.env } };
    await run(promtool.command, ['test', 'rules', 'times.test.yml'], options);
    await rm(folder, { recursive: true });
  });

  test('are routed to the two receivers by their severity, in a configuration that Alertmanager accepts', async () => {
    const amtool = await findProgram('amtool');
    const folder = fileURLToPath(new URL('observability/', dockerFolder));
    const options = { cwd: folder, env: { ...process.env, ...amtool.env } };
    await run(amtool.command, ['check-config', 'alertmanager.yml'], options);
    const receiverOf = async (severity: string): Promise<string> => {
      const route = ['config', 'routes', 'test', '--config.file=alertmanager.yml', `severity=${severity}`];
      return (await run(amtool.command, route, options)).stdout.trim();
    };
    const severities = new Set(rules.map(({ labels }) => labels.severity));
    for (const severity of severities) expect(await receiverOf(severity)).toBe(severity);
    expect([...severities].toSorted()).toEqual(['page', 'ticket']);
  });

  test('each has tests and a section in the runbook, which has no other sections', () => {
    const tested = (parse(readText('observability/alerts.test.yml')) as RuleTests).tests;
    const names = tested.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(alertNames.flatMap((name) => [name, `${name} stays silent`])),
    );
    const sections = [...readText('../docs/operations/runbook.md').matchAll(/^## (\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(sections.toSorted((left = '', right = '') => left.localeCompare(right))).toEqual(alertNames);
  });
});

/** Names of metrics in PromQL, without the suffixes of histograms. */
function metricsIn(text: string): string[] {
  const names = [...text.matchAll(/\bsolegate_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  return [...new Set(names)];
}

describe('a Prometheus beside a gateway', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let gateway: GatewayProcess;
  let pager: StubGateway;
  let alertmanager: Monitor;
  let prometheus: PrometheusServer;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), createTestRedis()]);
    const jwtSecret = randomBytes(48).toString('base64');
    const databaseUrl = await migrateForRuntime(database);
    gateway = await startComposedGateway({ databaseUrl, redisUrl: redis.url, jwtSecret });
    pager = await startStubGateway();
    alertmanager = await startAlertmanager(`http://127.0.0.1:${pager.port}`);
    const addresses = { 'alertmanager:9093': [alertmanager.address] };
    prometheus = await startPrometheus([gateway.port], { addresses });
  });

  afterAll(async () => {
    await prometheus?.[Symbol.asyncDispose]();
    await alertmanager?.[Symbol.asyncDispose]();
    await pager?.close();
    await gateway?.[Symbol.asyncDispose]();
    await redis?.drop();
    await database?.drop();
  });

  test('collects every metric that a rule or the dashboard names', async () => {
    await until(async () => (await prometheus.query('up{job="solegate"} == 1')).length === 1);
    const exposed = await (await fetch(`http://127.0.0.1:${gateway.port}/metrics`)).text();
    const declared = new Set([...exposed.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const wanted = metricsIn([...rules.map(({ expr }) => expr), dashboard].join('\n'));
    expect(wanted.filter((name) => !declared.has(name))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(20);
  });

  test('the queries for PostgreSQL return what the rules name', async () => {
    const { pg_state } = parse(readText('observability/postgres-queries.yml')) as {
      pg_state: { query: string; metrics: object[] };
    };
    const { rows } = await database.pool.query(pg_state.query);
    const names = Object.keys(rows[0]);
    expect(names).toEqual(pg_state.metrics.flatMap(Object.keys));
    const named = [
      ...rules
        .map(({ expr }) => expr)
        .join('\n')
        .matchAll(/\bpg_state_(\w+)/g),
    ];
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set(names));
    expect(rows[0]).toMatchObject({ read_only: 0, standby_missing: 0, archiving_failing: 0 });
  });

  test('pages somebody when the only gateway is killed, by one alert', async () => {
    const firing = () => prometheus.alerts('firing');
    expect((await firing()).filter((name) => name !== 'SolegateLeasesInQuarantine')).toEqual([]);
    await gateway.end();
    await until(async () => (await firing()).includes('SolegateNoGateway'), { intervalMs: 500 });
    expect((await firing()).filter((name) => name !== 'SolegateLeasesInQuarantine')).toEqual([
      'SolegateNoGateway',
    ]);
    await until(() => pager.requests.some(({ url }) => url === '/page'));
  });
});
