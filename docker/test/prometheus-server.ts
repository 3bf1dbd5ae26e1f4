import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText } from './deployment-files.js';
import { findProgram, type Monitor, startMonitor } from './monitoring-programs.js';

export interface PrometheusServer extends AsyncDisposable {
  /** Labels of the series that an expression returns now. */
  query(expression: string): Promise<readonly Readonly<Record<string, string>>[]>;
  /** Names of the alerts that are firing or pending. */
  alerts(state: 'firing' | 'pending'): Promise<string[]>;
}

/** `for: 15s`, and ranges such as `[5m]` and `[2m:5s]`. */
const TIMES_OF_RULES = /(?<=^ *for: |\[|\[\w+:)(\d+)([sm])\b/gm;

/** The rules with every time divided by the factor. */
function fasterRules(rules: string, timesFaster: number): string {
  return rules.replace(TIMES_OF_RULES, (_time, count, unit) => {
    const seconds = Number(count) * (unit === 'm' ? 60 : 1);
    return `${(seconds * 1_000) / timesFaster}ms`;
  });
}

interface Targets {
  readonly targets: readonly string[];
}

interface Configuration {
  readonly alerting: { readonly alertmanagers: readonly { readonly static_configs: readonly Targets[] }[] };
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly static_configs?: readonly Targets[];
    readonly relabel_configs?: readonly { readonly target_label: string; readonly replacement?: string }[];
  }[];
}

interface PrometheusOptions {
  /** What every time in the rules is divided by. Default: 1. */
  readonly timesFaster?: number;
  /** Addresses of this machine for those in prometheus.yml; a target without one is left out. Default: none. */
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  /** Further settings of a job, by its name. */
  readonly jobs?: Readonly<Record<string, object>>;
}

/**
 * Starts a Prometheus with the rules and the configuration of this folder, which scrapes the gateways on these ports, and the
 * other targets that have an address, every second.
 */
export async function startPrometheus(
  gatewayPorts: readonly number[],
  { timesFaster = 1, addresses = {}, jobs = {} }: PrometheusOptions = {},
): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-prometheus-'));
  const { alerting, scrape_configs } = parse(readText('observability/prometheus.yml')) as Configuration;
  const here = ({ targets }: Targets): Targets => ({
    targets: targets.flatMap((target) => addresses[target] ?? []),
  });
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    alerting: {
      alertmanagers: alerting.alertmanagers.map((one) => ({
        static_configs: one.static_configs.map(here),
      })),
    },
    scrape_configs: scrape_configs.map((job) => {
      const { job_name, static_configs = [], relabel_configs = [] } = job;
      if (job_name === 'solegate') {
        return { job_name, static_configs: [{ targets: gatewayPorts.map((port) => `127.0.0.1:${port}`) }] };
      }
      return {
        ...job,
        static_configs: static_configs.map(here),
        relabel_configs: relabel_configs.map((one) => ({
          ...one,
          ...(one.replacement && { replacement: addresses[one.replacement]?.[0] ?? one.replacement }),
        })),
        ...jobs[job_name],
      };
    }),
  };
  await writeFile(join(folder, 'alerts.yml'), fasterRules(readText('observability/alerts.yml'), timesFaster));
  // JSON is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const server = await startMonitor('prometheus', {
    args: ['--config.file=prometheus.yml', '--storage.tsdb.path=data'],
    folder,
  });
  const query: PrometheusServer['query'] = async (expression) => {
    const response = await fetch(
      `http://${server.address}/api/v1/query?query=${encodeURIComponent(expression)}`,
    );
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
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts an Alertmanager with the configuration of this folder, whose two receivers are paths of this address. */
export async function startAlertmanager(receiver: string): Promise<Monitor> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-alertmanager-'));
  const configuration = readText('observability/alertmanager.yml').replaceAll(
    /http:\/\/\w+\.invalid/g,
    receiver,
  );
  await writeFile(join(folder, 'alertmanager.yml'), configuration);
  const { command } = await findProgram('prometheus-alertmanager');
  // Debian's reads its templates there, and nowhere else.
  const templates = `mount -t tmpfs templates /usr/share && cp -r "${join(command, '../../share/prometheus')}" /usr/share`;
  const server = await startMonitor('prometheus-alertmanager', {
    args: ['--config.file=alertmanager.yml', '--storage.path=data', '--cluster.listen-address='],
    folder,
    within: ['unshare', '-rm', 'sh', '-c', `${templates} && exec "$@"`, 'sh'],
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
