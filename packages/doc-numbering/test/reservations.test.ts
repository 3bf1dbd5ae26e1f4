import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { race } from '@solegate/testkit';
import {
  assertGapless,
  type Office,
  openOffice,
  rfa,
  unguarded,
  untilBlockedBy,
  withSeries,
} from './number-office.js';

let office: Office;

beforeAll(async () => {
  office = await openOffice({ requestTimeoutMs: 60_000 });
  await withSeries(office.numbering);
});

afterAll(async () => {
  await assertGapless(office.database.pool);
  await office[Symbol.asyncDispose]();
});

const to = (org: string) => ({ ...rfa, dimensions: { ORG: org, DISCIPLINE: 'STR' } });

test('a reservation is confirmed once, and a retry returns the same entry', async () => {
  const held = await office.numbering.reserve({ ...to('RES'), holdMs: 60_000 });
  expect(held.expiresAt.getTime()).toBeGreaterThan(Date.now());
  expect(await office.numbering.findNumber({ space: 'P1', number: held.number })).toMatchObject({
    status: 'reserved',
  });
  const outcomes = await race(5, () =>
    office.numbering.confirm({ token: held.token, document: 'd1', actor: 'a' }),
  );
  const made = outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value.replayed);
  expect(made).toHaveLength(1);
  expect((await office.numbering.listEvents({ space: 'P1', number: held.number })).items).toHaveLength(1);
  await expect(
    office.numbering.cancel({ token: held.token, reason: 'no', actor: 'a' }),
  ).rejects.toMatchObject({
    code: 'NUMBER_STATE',
    status: 'issued',
  });
});

test('a reservation is found by its token, also after its end, and by no other', async () => {
  const { token, number } = await office.numbering.reserve(to('TOKEN'));
  expect(await office.numbering.findNumber({ token })).toMatchObject({
    number,
    space: 'P1',
    status: 'reserved',
  });
  await office.numbering.cancel({ token, reason: 'no', actor: 'a' });
  const found = await office.numbering.findNumber({ token });
  expect(found).toEqual(await office.numbering.findNumber({ space: 'P1', number }));
  const guessed = token.replace(/[^.]+$/, '00000000-0000-4000-8000-000000000000');
  expect(await office.numbering.findNumber({ token: guessed })).toBeUndefined();
  await expect(office.numbering.findNumber({ token: 'x' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

test('of a concurrent confirm and cancel, exactly one succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token, number } = await office.numbering.reserve(to('DUEL'));
    const outcomes = await race<unknown>(2, (index) =>
      index === 0
        ? office.numbering.confirm({ token, actor: 'a' })
        : office.numbering.cancel({ token, reason: 'changed', actor: 'b' }),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entry = await office.numbering.findNumber({ space: 'P1', number });
    expect(entry?.status).toBe(outcomes[0]?.status === 'fulfilled' ? 'issued' : 'cancelled');
  }
});

test('an expired reservation ends as a cancelled row, never as a gap', async () => {
  const { token, number } = await office.numbering.reserve({ ...to('OVER'), holdMs: 1000 });
  await unguarded(
    office.database.pool,
    "UPDATE document_numbers SET expires_at = clock_timestamp() - interval '1 s' WHERE number = $1",
    [number],
  );
  await expect(office.numbering.confirm({ token, actor: 'a' })).rejects.toMatchObject({
    code: 'NUMBER_STATE',
  });
  expect(await office.numbering.expireReservations()).toBe(1);
  expect(await office.numbering.findNumber({ space: 'P1', number })).toMatchObject({
    status: 'cancelled',
    reason: undefined,
  });
  const { items } = await office.numbering.listEvents({ space: 'P1', number });
  expect(items.map(({ item }) => item)).toMatchObject([{ actor: 'numbering', reason: 'expired' }]);
  expect((await office.numbering.issue(to('OVER'))).sequence).toBe(2);
});

test('a person of the name that expiry has cancels a reservation as any other, once and again', async () => {
  const { token } = await office.numbering.reserve(to('NAMESAKE'));
  const request = { token, reason: 'no', actor: 'numbering' };
  const cancelled = await office.numbering.cancel(request);
  expect(await office.numbering.cancel(request)).toEqual(cancelled);
});

test('a number that waited for its counter stays reserved for as long as was asked', async () => {
  await office.numbering.issue(to('PATIENT'));
  const client = await office.database.pool.connect();
  await client.query('BEGIN');
  await office.numbering.issueIn(client, to('PATIENT'));
  const reserving = office.numbering.reserve({ ...to('PATIENT'), holdMs: 60_000 });
  await untilBlockedBy(office, client);
  const { rows } = await client.query('SELECT clock_timestamp() AS held');
  await client.query('COMMIT');
  client.release();
  const { token, expiresAt } = await reserving;
  const entry = await office.numbering.findNumber({ token });
  expect(entry?.expiresAt).toEqual(expiresAt);
  expect(Number(expiresAt)).toBeGreaterThanOrEqual(Number(rows[0].held) + 60_000);
});

test('tokens that reserve did not return are refused', async () => {
  await expect(office.numbering.confirm({ token: 'x', actor: 'a' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  const token = '1.1.00000000-0000-4000-8000-000000000000';
  await expect(office.numbering.confirm({ token, actor: 'a' })).rejects.toMatchObject({
    code: 'NUMBER_NOT_FOUND',
  });
});

test('a reservation keeps the reason it was made for when it is cancelled', async () => {
  const { token, number } = await office.numbering.reserve({ ...to('CANCEL'), reason: 'for a letter' });
  const ended = await office.numbering.cancel({ token, reason: 'not needed', actor: 'bob' });
  expect(ended).toMatchObject({ status: 'cancelled', reason: 'for a letter', voidReason: undefined });
  const { items } = await office.numbering.listEvents({ space: 'P1', number });
  expect(items.map(({ item }) => item)).toMatchObject([{ actor: 'bob', reason: 'not needed' }]);
});
