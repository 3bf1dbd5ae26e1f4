import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

import { dockerFolder } from './deployment-files.js';
import { findPrometheus } from './prometheus-program.js';

export interface PrometheusServer extends AsyncDisposable {
  /** Labels of the series that an expression has now. */
  query(expression: string): Promise<readonly Readonly<Record<string, string>>[]>;
  /** Names of the alerts that fire now. */
  firing(): Promise<string[]>;
}

const rulesFile = fileURLToPath(new URL('observability/alerts.yml', dockerFolder));

/** A Prometheus with the rules of this folder that looks at the gateways on these ports every second. */
export async function startPrometheus(gatewayPorts: readonly number[]): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-prometheus-'));
  const targets = gatewayPorts.map((port) => `127.0.0.1:${port}`);
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rulesFile],
    scrape_configs: [{ job_name: 'solegate', static_configs: [{ targets }] }],
  };
  // YAML has JSON in it.
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
    firing: async () => (await query('ALERTS{alertstate="firing"}')).map(({ alertname = '' }) => alertname),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
