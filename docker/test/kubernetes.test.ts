import { expect, test } from '@jest/globals';

import {
  composeService,
  gatewayVariableNames,
  kubernetesKinds,
  kubernetesValue,
  readText,
} from './deployment-files.js';

const environment = kubernetesValue('ConfigMap', 'data') as Record<string, string>;

function deployment(path: string): unknown {
  return kubernetesValue('Deployment', `spec.${path}`);
}

function pod(path: string): unknown {
  return deployment(`template.spec.${path}`);
}

function container(path: string): unknown {
  return pod(`containers.0.${path}`);
}

test('has gateways with service, ingress, scaling, disruption budget and network policy, the migration job and the configuration', () => {
  expect(kubernetesKinds().sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
});

test('a job of the same image changes the tables, with another role than the gateways', () => {
  const job = (path: string) => kubernetesValue('Job', `spec.template.spec.${path}`);
  expect(job('containers.0.image')).toBe(container('image'));
  expect(job('containers.0.command')).toEqual(composeService('migrate').command);
  expect(job('volumes.0.secret.secretName')).not.toBe(pod('volumes.0.secret.secretName'));
  expect(job('securityContext')).toEqual(pod('securityContext'));
  expect(job('containers.0.securityContext')).toEqual(container('securityContext'));
});

test('the number of pods follows the load and is configured in one place', () => {
  expect(kubernetesValue('HorizontalPodAutoscaler', 'spec.scaleTargetRef.name')).toBe(
    kubernetesValue('Deployment', 'metadata.name'),
  );
  expect(() => deployment('replicas')).toThrow(/no spec.replicas/);
});

test('all objects select the same pods', () => {
  const labels = deployment('template.metadata.labels');
  expect(deployment('selector.matchLabels')).toEqual(labels);
  expect(kubernetesValue('Service', 'spec.selector')).toEqual(labels);
  expect(kubernetesValue('PodDisruptionBudget', 'spec.selector.matchLabels')).toEqual(labels);
  expect(kubernetesValue('NetworkPolicy', 'spec.podSelector.matchLabels')).toEqual(labels);
});

test('probes liveness without the stores, and readiness with them', () => {
  expect(container('livenessProbe.httpGet.path')).toBe('/health/live');
  expect(container('startupProbe.httpGet.path')).toBe('/health/live');
  expect(container('readinessProbe.httpGet.path')).toBe('/health/ready');
  expect(String(container('ports.0.containerPort'))).toBe(environment.PORT);
  expect(kubernetesValue('Service', 'spec.ports.0.targetPort')).toBe(container('ports.0.name'));
});

test('metrics have their own port, which the monitoring can reach and the ingress cannot', () => {
  expect(String(container('ports.1.containerPort'))).toBe(environment.METRICS_PORT);
  expect(environment.METRICS_PORT).not.toBe(environment.PORT);
  const annotations = deployment('template.metadata.annotations') as Record<string, string>;
  expect(annotations['prometheus.io/port']).toBe(environment.METRICS_PORT);
  const rules = kubernetesValue('NetworkPolicy', 'spec.ingress') as {
    readonly from: readonly { readonly namespaceSelector: { readonly matchLabels: object } }[];
    readonly ports: readonly { readonly port: string }[];
  }[];
  expect(rules.map(({ ports }) => ports)).toEqual([
    [{ port: container('ports.0.name') }],
    [{ port: container('ports.1.name') }],
  ]);
  for (const { from } of rules) expect(from).toHaveLength(1);
  const ports = kubernetesValue('Service', 'spec.ports') as readonly object[];
  expect(ports).toHaveLength(1);
});

test('the ingress forwards GraphQL, the export, and the console with each of its views outside demo mode', () => {
  const paths = kubernetesValue('Ingress', 'spec.rules.0.http.paths') as {
    readonly path: string;
    readonly pathType: string;
    readonly backend: object;
  }[];
  const views = [...readText('../apps/console/src/shell/views.ts').matchAll(/^ {2}\{ path: '(.+?)',(.*)$/gm)]
    .filter(([, , more]) => !more?.includes('isDemo'))
    .map(([, path]) => path);
  expect(views.length).toBeGreaterThan(5);
  expect(new Set(paths.map(({ path }) => path))).toEqual(
    new Set(['/graphql', '/export/document-numbers.csv', '/assets', ...views]),
  );
  expect(paths.find(({ path }) => path === '/')?.pathType).toBe('Exact');
  for (const { backend } of paths) {
    expect(backend).toEqual({
      service: { name: kubernetesValue('Service', 'metadata.name'), port: { name: 'http' } },
    });
  }
  expect(kubernetesValue('Service', 'spec.ports.0.name')).toBe('http');
});

test('an update never runs fewer pods than wanted, and a node upgrade evicts one at a time', () => {
  expect(deployment('strategy.rollingUpdate')).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(kubernetesValue('PodDisruptionBudget', 'spec.maxUnavailable')).toBe(1);
});

test('a pod drains for longer than its readiness takes to be noticed, and ends before it is killed', () => {
  const noticedMs = Number(container('readinessProbe.periodSeconds')) * 1000;
  const drainMs = Number(environment.DRAIN_DELAY_MS);
  const shutdownMs = Number(environment.SHUTDOWN_TIMEOUT_MS);
  expect(drainMs).toBeGreaterThan(noticedMs * Number(container('readinessProbe.failureThreshold')));
  expect(shutdownMs).toBeGreaterThan(drainMs);
  const hookMs = Number(container('lifecycle.preStop.sleep.seconds')) * 1000;
  expect(Number(pod('terminationGracePeriodSeconds')) * 1000).toBeGreaterThan(hookMs + shutdownMs);
});

test('runs as a user other than root, on a read-only file system', () => {
  expect(pod('securityContext')).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(pod('securityContext.runAsUser')).toBeGreaterThan(0);
  expect(container('securityContext')).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod('automountServiceAccountToken')).toBe(false);
});

test('sets only variables that the gateway reads, no node ID and no secret', () => {
  const names = Object.keys(environment);
  expect(gatewayVariableNames()).toEqual(expect.arrayContaining(names));
  expect(names.filter((name) => /NODE_ID|(SECRET|URL)$/.test(name))).toEqual([]);
  expect(container('envFrom')).toEqual([{ configMapRef: { name: 'solegate' } }]);
  for (const [name, value] of Object.entries(environment)) {
    if (name.endsWith('_FILE')) expect(value).toContain(`${container('volumeMounts.1.mountPath')}/`);
  }
});

test('has the same image and the same authentication as the compose file', () => {
  const gateway = composeService('gateway');
  expect(container('image')).toBe(gateway.image);
  for (const name of ['NODE_ENV', 'AUTH_MODE', 'JWT_ALGORITHMS', 'PORT', 'HOST']) {
    expect(environment[name]).toBe(gateway.environment?.[name]);
  }
});

test('a path without a value is an error', () => {
  expect(() => kubernetesValue('Deployment', 'spec.template.nothing')).toThrow(/no spec.template.nothing/);
});
