import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { OutboxLag } from '../src/overview/outbox-lag.js';

test('while PostgreSQL does not respond, the lag is absent from the metrics', async () => {
  const registry = new Registry();
  const away = new DataSource({ type: 'postgres', url: 'postgres://127.0.0.1:1/none' });
  const lag = new OutboxLag(() => [away], registry, pino({ enabled: false }));
  await lag.look();
  expect(lag.state).toBeUndefined();
  expect(await registry.metrics()).not.toMatch(/^solegate_trips_outbox/m);
});
