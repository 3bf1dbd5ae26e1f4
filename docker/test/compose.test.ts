import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

import {
  composeService,
  dockerFolder,
  gatewayVariableNames,
  interpolate,
  readCompose,
  readText,
  readVariables,
} from './deployment-files.js';

const { services, networks, volumes } = readCompose();

describe.each(Object.entries(services))('service %s', (_name, service) => {
  test('has a health check, unless it exits by itself', () => {
    if (service.restart === 'no') expect(service.healthcheck).toEqual({ disable: true });
    else expect(service.healthcheck?.test?.length).toBeGreaterThan(1);
  });

  test('runs as a user who is not root and cannot become one', () => {
    expect(service.user).toMatch(/^(?!root$|0(:|$))\w+/);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.read_only).toBe(true);
  });

  test('names an image with a version, or is built here', () => {
    if (service.build)
      expect(existsSync(new URL(service.build.dockerfile, new URL('../', dockerFolder)))).toBe(true);
    else expect(service.image).toMatch(/:v?\d/);
  });

  test('uses networks, volumes and files that exist', () => {
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
    for (const mount of service.volumes ?? []) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('./')) expect(existsSync(new URL(source, dockerFolder))).toBe(true);
      else if (!source.startsWith('/')) expect(Object.keys(volumes)).toContain(source);
    }
  });

  test('waits only for services that exist, and requires none of another profile', () => {
    for (const [name, { required }] of Object.entries(service.depends_on ?? {})) {
      const dependency = services[name];
      expect(dependency).toBeDefined();
      const isAlwaysThere = !dependency?.profiles || service.profiles !== undefined;
      expect(required ?? true).toBe(isAlwaysThere);
    }
  });
});

describe('the gateway', () => {
  const gateway = composeService('gateway');
  const environment = Object.keys(gateway.environment ?? {});

  test('can be scaled: no fixed name, host name, port or number', () => {
    for (const key of ['container_name', 'hostname', 'ports', 'deploy', 'scale'])
      expect(gateway).not.toHaveProperty(key);
  });

  test('has no configured node ID', () => {
    expect(environment.filter((name) => /NODE_ID|WORKER_ID|SHARD|INSTANCE/.test(name))).toEqual([]);
  });

  test('sets only variables that the gateway reads', () => {
    expect(gatewayVariableNames()).toEqual(expect.arrayContaining(environment));
  });

  test('gets more time to stop than its shutdown can take', () => {
    const graceMs = Number.parseInt(gateway.stop_grace_period ?? '', 10) * 1000;
    expect(graceMs).toBeGreaterThan(Number(gateway.environment?.SHUTDOWN_TIMEOUT_MS));
    expect(Number(gateway.environment?.DRAIN_DELAY_MS)).toBeLessThan(
      Number(gateway.environment?.SHUTDOWN_TIMEOUT_MS),
    );
  });

  test('is live independently of the stores: an unreachable Redis restarts no gateway', () => {
    expect(gateway.healthcheck?.test).toContain('http://127.0.0.1:4000/health/live');
  });

  test('runs with a role that cannot change tables, after the job of a role that can', () => {
    const { migrate } = services;
    expect(gateway.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(migrate?.command).toEqual([
      'node',
      'dist/main.js',
      'migrate',
      '--runtime-role',
      'solegate_runtime',
    ]);
    expect(migrate?.image).toBe(gateway.image);
    expect(migrate?.environment?.DATABASE_URL_FILE).not.toBe(gateway.environment?.DATABASE_URL_FILE);
  });
});

test('no environment contains a secret: each is a file from make-secrets.sh', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|SECRET|DATABASE_URL/.test(variable)) continue;
      expect([name, variable]).toEqual([name, expect.stringMatching(/_FILE$/)]);
      expect(secrets).toContain(value.replace('/run/secrets/', ''));
    }
    for (const secret of secrets) expect(readText('make-secrets.sh')).toContain(`keep ${secret} `);
  }
});

test('only nginx is reachable from outside, and Grafana from this machine', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
  );
  expect(published).toEqual(['nginx']);
  expect(services.nginx?.networks).toEqual(['front']);
  expect(networks.stores).toEqual({ internal: true });
});

test('every Redis keeps its data and evicts nothing', () => {
  const settings = new Map(
    readText('redis.conf')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  expect(settings.get('appendonly')).toBe('yes');
  expect(settings.get('maxmemory-policy')).toBe('noeviction');
  for (const [name, service] of Object.entries(services)) {
    if (service.command?.[0] !== 'redis-server') continue;
    expect([name, service.command[1]]).toEqual([name, '/etc/redis.conf']);
    expect(service.volumes?.some((mount) => mount.endsWith('/data'))).toBe(true);
  }
});

test.each(['sentinel', 'cluster'])('the profile %s names existing services', (profile) => {
  const { COMPOSE_PROFILES, REDIS_URL = '' } = readVariables(`${profile}.env`);
  expect(COMPOSE_PROFILES).toBe(profile);
  const [, host = ''] = /^redis\+(?:sentinel|cluster):\/\/([^:/]+)/.exec(REDIS_URL) ?? [];
  expect(services[host]?.profiles).toEqual([profile]);
  expect(REDIS_URL).toContain(`redis+${profile}://`);
});

test('the sentinels watch the master of the compose file, and a majority of them decides', () => {
  const [, host = '', port, quorum] =
    /^sentinel monitor solegate (\S+) (\d+) (\d+)$/m.exec(readText('sentinel.conf')) ?? [];
  expect(services[host]?.command).toEqual(['redis-server', '/etc/redis.conf']);
  expect(port).toBe('6379');
  const { replicas } = composeService('sentinel').deploy as { replicas: number };
  expect(Number(quorum)).toBeGreaterThan(replicas / 2);
  expect(readVariables('sentinel.env').REDIS_URL).toBe('redis+sentinel://sentinel:26379/solegate/0');
});

test('interpolation handles values, defaults and doubled dollars as docker compose does', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of docker compose
  expect(interpolate('${A:-x}/${B}/$$C', { B: 'b' })).toBe('x/b/$C');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of docker compose
  expect(() => interpolate('${B}', {})).toThrow('B is not set');
});

test('the README lists every variable of the compose file', () => {
  const taken = [...readText('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name);
  for (const name of new Set(taken)) expect(readText('README.md')).toContain(`\`${name}\``);
});
