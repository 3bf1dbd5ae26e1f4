import { expect, test } from '@jest/globals';
import { gatewayOfFile } from './gateway-fixture.js';

const gateway = gatewayOfFile();

test('an unexpected error shows an incident ID, but no tables, statements or files', async () => {
  await gateway.stores.database.pool.query('ALTER TABLE disciplines RENAME COLUMN name TO broken');
  const { status, errors, data } = await gateway.ask('{ disciplines { edges { node { name } } } }');
  await gateway.stores.database.pool.query('ALTER TABLE disciplines RENAME COLUMN broken TO name');
  expect(status).toBe(500);
  expect(data).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions).toEqual({
    code: 'INTERNAL_SERVER_ERROR',
    reason: 'UNEXPECTED',
    retryable: false,
    incidentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(JSON.stringify(errors)).not.toMatch(/column name|SELECT|\.ts|\.js|QueryFailed/);
});

test('fields that succeeded are kept when another one fails', async () => {
  await gateway.stores.database.pool.query('ALTER TABLE people RENAME COLUMN name TO broken');
  const { status, errors, data } = await gateway.ask(
    'mutation { requestTrip(input: {}) { ... on Trip { id rider { name } } } }',
  );
  await gateway.stores.database.pool.query('ALTER TABLE people RENAME COLUMN broken TO name');
  expect(status).toBe(200);
  expect(data.requestTrip).toMatchObject({ id: expect.stringMatching(/^\d+$/), rider: null });
  expect(errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
});
