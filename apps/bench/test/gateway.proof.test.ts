import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Dice, type GatewayProcess } from '@solegate/testkit';
import { startGatewayProcess } from '../src/gateway/gateway-process.js';
import { runGateway } from '../src/gateway/run-gateway.js';
import { runRemote } from '../src/gateway/run-remote.js';
import { type BenchStores, openStores } from '../src/running/stores.js';
import { scenarios } from '../src/suite/scenarios.js';
import {
  brokenRules,
  silentProgress,
  tinyContext,
  tinySettings,
  verifiedCount,
  withFreshNames,
} from './tiny-run.js';

let server: BenchStores;
let gateways: GatewayProcess[] = [];

beforeAll(async () => {
  server = await openStores();
  const databaseUrl = await server.createDatabase('remote');
  const place = { databaseUrl, redisUrl: server.redisUrl };
  gateways = [await startGatewayProcess(place), await startGatewayProcess(place)];
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
  await server[Symbol.asyncDispose]();
});

const remote = (sabotage: readonly string[] = []) =>
  runRemote(scenarios, {
    settings: tinySettings({
      targets: gateways.map(({ url }) => url),
      durationMs: 300,
      sabotage: new Set(sabotage),
    }),
    progress: silentProgress,
    dice: new Dice(1),
  });

describe('two running gateways, known only by their addresses', () => {
  test('keep their promises, as far as a client can see', async () => {
    const experiments = await remote();
    expect(experiments.map(({ id }) => id)).toEqual([
      'remote.ids',
      'remote.numbers',
      'remote.trips',
      'remote.gateway',
    ]);
    expect(brokenRules(experiments)).toEqual([]);
    expect(verifiedCount(experiments)).toBeGreaterThan(100);
    expect(experiments.flatMap(({ measurements }) => Object.keys(measurements[0]?.failures ?? {}))).toEqual(
      [],
    );
  });

  test('are reported as broken behind a cache that mixes up answers', async () => {
    const broken = brokenRules(await remote(['gateway']));
    expect(broken).toContain('unique');
    expect(broken).toContain('one winner');
  });
});

describe('the gateway scenario', () => {
  test('holds beside a gateway of the original design, and beside Mercurius', async () => {
    const experiments = await runGateway(
      tinyContext(withFreshNames(server), { processes: 1, durationMs: 300 }),
    );
    expect(experiments.map(({ id }) => id)).toEqual([
      'gateway.issue.20',
      'gateway.create.50',
      'gateway.create.20',
      'gateway.trivial',
    ]);
    expect(brokenRules(experiments)).toEqual([]);
    for (const { subject, repeats } of experiments.flatMap(({ measurements }) => measurements)) {
      // An overloaded machine might answer none within the time.
      const { perSecond = 0, answeredCount = perSecond } = repeats[0] ?? {};
      expect([subject, answeredCount > 0]).toEqual([subject, true]);
    }
  });
});
