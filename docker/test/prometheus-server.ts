import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

import { dockerFolder } from './deployment-files.js';
import { findPrometheus } from './prometheus-program.js';

export interface PrometheusServer extends AsyncDisposable {
  /** Labels of the series that an expression returns now. */
  query(expression: string): Promise<readonly Readonly<Record<string, string>>[]>;
  /** Names of the alerts that are firing or pending. */
  alerts(state: 'firing' | 'pending'): Promise<string[]>;
}

const rulesFile = fileURLToPath(new URL('observability/alerts.yml', dockerFolder));
/** `for: 15s`, and ranges such as `[5m]` and `[2m:5s]`. */
const TIMES_OF_RULES = /(?<=^ *for: |\[|\[\w+:)(\d+)([sm])\b/gm;

/** The rules with every time divided by the factor. */
function fasterRules(rules: string, timesFaster: number): string {
  return rules.replace(TIMES_OF_RULES, (_time, count, unit) => {
    const seconds = Number(count) * (unit === 'm' ? 60 : 1);
    return `${(seconds * 1_000) / timesFaster}ms`;
  });
}

/**
 * Starts a Prometheus with the rules of this folder that scrapes the gateways on these ports every second.
 *
 * @param options.timesFaster what every time in the rules is divided by; default 1
 */
export async function startPrometheus(
  gatewayPorts: readonly number[],
  { timesFaster = 1 }: { readonly timesFaster?: number } = {},
): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-prometheus-'));
  const targets = gatewayPorts.map((port) => `127.0.0.1:${port}`);
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'solegate', static_configs: [{ targets }] }],
  };
  await writeFile(join(folder, 'alerts.yml'), fasterRules(await readFile(rulesFile, 'utf8'), timesFaster));
  // JSON is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const program = await findPrometheus('prometheus');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    program.command,
    ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`],
    { cwd: folder, env: { ...process.env, ...program.env }, stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  await until(async () => (await fetch(`${url}/-/ready`)).ok, { timeoutMs: 30_000, what: 'Prometheus' });
  const query: PrometheusServer['query'] = async (expression) => {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data } = (await response.json()) as { data: { result: { metric: Record<string, string> }[] } };
    return data.result.map(({ metric }) => metric);
  };
  return {
    query,
    alerts: async (state) => {
      const alerts = await query(`count by (alertname) (ALERTS{alertstate="${state}"})`);
      return alerts.map(({ alertname = '' }) => alertname);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
