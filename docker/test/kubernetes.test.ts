import { expect, test } from '@jest/globals';

import { composeService, gatewayVariableNames, readKubernetes } from './deployment-files.js';

// biome-ignore lint/suspicious/noExplicitAny: a manifest is read by path, and a wrong path fails the test
const objects = readKubernetes<any>();
const deployment = objects.get('Deployment').spec;
const pod = deployment.template.spec;
const [container] = pod.containers;
const environment: Record<string, string> = objects.get('ConfigMap').data;

test('has a deployment, a service, a disruption budget and the configuration', () => {
  expect([...objects.keys()].sort()).toEqual(['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']);
});

test('all of them mean the same pods', () => {
  const { labels } = deployment.template.metadata;
  expect(deployment.selector.matchLabels).toEqual(labels);
  expect(objects.get('Service').spec.selector).toEqual(labels);
  expect(objects.get('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
});

test('asks the right questions: alive without the stores, ready with them', () => {
  expect(container.livenessProbe.httpGet.path).toBe('/health/live');
  expect(container.startupProbe.httpGet.path).toBe('/health/live');
  expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
  const [port] = container.ports;
  expect(String(port.containerPort)).toBe(environment.PORT);
  expect(objects.get('Service').spec.ports[0].targetPort).toBe(port.name);
});

test('an update never has fewer pods than wanted, and an upgrade of nodes takes one at a time', () => {
  expect(deployment.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(objects.get('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
});

test('a pod drains longer than its readiness needs to be noticed, and ends before it is killed', () => {
  const noticedMs = container.readinessProbe.periodSeconds * container.readinessProbe.failureThreshold * 1000;
  const drainMs = Number(environment.DRAIN_DELAY_MS);
  const shutdownMs = Number(environment.SHUTDOWN_TIMEOUT_MS);
  expect(drainMs).toBeGreaterThan(noticedMs);
  expect(shutdownMs).toBeGreaterThan(drainMs);
  const hookMs = container.lifecycle.preStop.sleep.seconds * 1000;
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(hookMs + shutdownMs);
});

test('runs as a user who is not root, on a file system that it cannot change', () => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
});

test('is given only variables that the gateway reads, no node ID and no secret', () => {
  const names = Object.keys(environment);
  expect(gatewayVariableNames()).toEqual(expect.arrayContaining(names));
  expect(names.filter((name) => /NODE_ID|SECRET|URL/.test(name))).toEqual([]);
  expect(container.envFrom).toEqual([
    { configMapRef: { name: 'solegate' } },
    { secretRef: { name: 'solegate' } },
  ]);
});

test('names the same image and the same way to log in as the compose file', () => {
  const gateway = composeService('gateway');
  expect(container.image).toBe(gateway.image);
  for (const name of ['NODE_ENV', 'AUTH_MODE', 'JWT_ALGORITHMS', 'PORT', 'HOST'] as const) {
    expect(environment[name]).toBe(gateway.environment?.[name]);
  }
});
