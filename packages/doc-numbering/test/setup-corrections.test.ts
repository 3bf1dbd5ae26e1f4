import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assertGapless, type Office, openOffice, rfa, unguarded } from './number-office.js';

/** Setup mistakes can be corrected as long as no number depends on them. */
let office: Office;

beforeAll(async () => {
  office = await openOffice();
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const bare = (series: string) => ({ ...rfa, series, dimensions: {} });
const define = (series: string, rules: object = {}) =>
  office.numbering.defineSeries({ space: 'P1', series, timeZone: 'Asia/Bangkok', actor: 'a', ...rules });
const save = (series: string, template: string) =>
  office.numbering.saveFormat({ space: 'P1', series, template, actor: 'a' });

describe('a rule that decides counters', () => {
  test('can be corrected until the first counter is opened, also after a format was saved, and not later', async () => {
    await define('ZONE', { timeZone: 'Europe/London' });
    await save('ZONE', 'ZONE-{YEAR}-{SEQ:4}');
    expect(await define('ZONE')).toMatchObject({ timeZone: 'Asia/Bangkok' });
    await office.numbering.issue(bare('ZONE'));
    await expect(define('ZONE', { timeZone: 'Europe/London' })).rejects.toMatchObject({
      code: 'SERIES_IN_USE',
      rules: ['timeZone'],
    });
  });

  test('cannot be changed to one that the formats do not show', async () => {
    await define('RESET');
    await save('RESET', 'RESET-{YEAR}-{SEQ:4}');
    await expect(define('RESET', { reset: 'month' })).rejects.toMatchObject({ code: 'AMBIGUOUS_FORMAT' });
    expect(await define('RESET', { reset: 'never' })).toMatchObject({ reset: 'never' });
  });
});

describe('a format that has printed nothing', () => {
  test('can be withdrawn, which frees its texts for another series', async () => {
    await define('WRONG');
    await define('RIGHT');
    await save('WRONG', 'DOC-{YEAR}-{SEQ:4}');
    await expect(save('RIGHT', 'DOC-{YEAR}-{SEQ:4}')).rejects.toMatchObject({ code: 'AMBIGUOUS_FORMAT' });
    const withdrawn = { space: 'P1', series: 'WRONG', version: 1, actor: 'a' };
    for (let time = 0; time < 2; time += 1) await office.numbering.withdrawFormat(withdrawn);
    expect(await save('RIGHT', 'DOC-{YEAR}-{SEQ:4}')).toMatchObject({ version: 1 });
    expect(await office.numbering.listFormats({ series: 'WRONG' })).toEqual([]);
    await expect(office.numbering.issue(bare('WRONG'))).rejects.toMatchObject({ code: 'NO_FORMAT' });
    expect(await save('WRONG', 'WRONG-{YEAR}-{SEQ:4}')).toMatchObject({ version: 2 });
    expect((await office.numbering.issue(bare('RIGHT'))).number).toMatch(/^DOC-\d{4}-0001$/);
  });

  test('of versions that share a commit, each is in use', async () => {
    await define('SHARED', { reset: 'never' });
    await save('SHARED', 'SHARED-A-{SEQ:4}');
    const { space, actor } = rfa;
    const later = { space, series: 'SHARED', template: 'SHARED-B-{SEQ:4}', actor, validFrom: '2026-06-01' };
    await office.numbering.saveFormat(later);
    await office.numbering.saveFormat({ ...later, template: 'SHARED-C-{SEQ:4}', validFrom: '2027-06-01' });
    const dates = ['2026-01-01', '2026-06-01', '2026-01-02', '2026-06-02'];
    const request = { ...bare('SHARED'), otherPeriod: true };
    const numbers = await Promise.all(dates.map((date) => office.numbering.issue({ ...request, date })));
    expect(numbers.map(({ formatVersion }) => formatVersion)).toEqual([1, 2, 1, 2]);
    for (const version of [1, 2]) {
      const used = { space, series: 'SHARED', version, actor };
      await expect(office.numbering.withdrawFormat(used)).rejects.toMatchObject({ code: 'FORMAT_IN_USE' });
    }
    await office.numbering.withdrawFormat({ space, series: 'SHARED', version: 3, actor });
  });

  test('one that has printed a number cannot be withdrawn, and nothing else in a version can change', async () => {
    const used = { space: 'P1', series: 'RIGHT', version: 1, actor: 'a' };
    await expect(office.numbering.withdrawFormat(used)).rejects.toMatchObject({ code: 'FORMAT_IN_USE' });
    await expect(office.numbering.withdrawFormat({ ...used, version: 7 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    const { pool } = office.database;
    for (const change of ["template = 'x'", 'withdrawn_at = NULL']) {
      const text = `UPDATE document_number_formats SET ${change} WHERE withdrawn_at IS NOT NULL`;
      await expect(pool.query(text)).rejects.toMatchObject({ constraint: 'document_number_formats_guarded' });
    }
  });
});

describe('imported texts in the ledger', () => {
  test('a format that could later print one of them is refused', async () => {
    await define('LEG');
    await define('OLD');
    await save('LEG', 'L-{YEAR}-{SEQ:4}');
    const rows = [
      { series: 'LEG', sequence: 1, date: '2026-01-05', number: 'LEG-2026-0003' },
      { series: 'LEG', sequence: 2, date: '2026-01-06', number: 'LEG-2026-0002' },
    ];
    expect(await office.numbering.importNumbers({ space: 'P1', rows, actor: 'a' })).toMatchObject({
      imported: true,
    });
    await expect(save('OLD', 'LEG-{YEAR}-{SEQ:4}')).rejects.toMatchObject({
      code: 'AMBIGUOUS_FORMAT',
      example: 'LEG-2026-0002',
    });
    await expect(save('LEG', 'LEG-{YEAR}-{SEQ:4}')).rejects.toMatchObject({ example: 'LEG-2026-0003' });
    expect(await save('OLD', 'OLD-{YEAR}-{SEQ:4}')).toMatchObject({ version: 1 });
  });

  test('a counter that will reach one of them can skip it with skipTo', async () => {
    await define('STUCK');
    await save('STUCK', 'STUCK-{YEAR}-{SEQ:4}');
    const first = await office.numbering.issue(bare('STUCK'));
    const taken = first.number.replace('0001', '0002');
    // As if a code had been renamed to one already in use.
    await unguarded(
      office.database.pool,
      `UPDATE document_numbers SET number = '${taken}' WHERE number LIKE 'DOC-%'`,
    );
    await expect(office.numbering.issue(bare('STUCK'))).rejects.toMatchObject({ code: 'DUPLICATE' });
    const skipped = { ...bare('STUCK'), upTo: 2, reason: 'its text is taken', actor: 'a' };
    expect(await office.numbering.skipTo(skipped)).toBe(1);
    expect(await office.numbering.issue(bare('STUCK'))).toMatchObject({ sequence: 3 });
    await assertGapless(office.database.pool);
  });
});

test('a series ends at its last number, and continues when the range is extended', async () => {
  await define('RANGE', { startAt: 100, endAt: 101 });
  await save('RANGE', 'RANGE-{YEAR}-{SEQ:4}');
  await office.numbering.issueMany(bare('RANGE'), 2);
  await expect(office.numbering.issue(bare('RANGE'))).rejects.toMatchObject({
    code: 'EXHAUSTED',
    limit: 101,
  });
  await define('RANGE', { startAt: 100, endAt: 200 });
  expect(await office.numbering.issue(bare('RANGE'))).toMatchObject({ sequence: 102 });
  await expect(define('RANGE', { startAt: 100, endAt: 99 })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

test('a blocked series issues nothing in any process until it is unblocked', async () => {
  await define('BLOCK');
  await save('BLOCK', 'BLOCK-{YEAR}-{SEQ:4}');
  const other = await office.another();
  const kept = await other.reserve(bare('BLOCK'));
  await define('BLOCK', { blocked: 'replaced by RIGHT' });
  for (const numbering of [office.numbering, other]) {
    const refused = { code: 'SERIES_BLOCKED', reason: 'replaced by RIGHT' };
    await expect(numbering.issue(bare('BLOCK'))).rejects.toMatchObject(refused);
  }
  expect(await other.confirm({ token: kept.token, actor: 'a' })).toMatchObject({ status: 'issued' });
  await define('BLOCK');
  expect(await other.issue(bare('BLOCK'))).toMatchObject({ sequence: 2 });
});

describe('of two administrators', () => {
  test("the second, who has not seen the first's change, is refused and overwrites nothing", async () => {
    const { revision } = await define('TWO');
    const first = await define('TWO', { closedUntil: '2020-12-31', expectedRevision: revision });
    await expect(define('TWO', { dateOrder: true, expectedRevision: revision })).rejects.toMatchObject({
      code: 'SERIES_CHANGED',
      expected: revision,
      revision: first.revision,
    });
    const rules = { closedUntil: '2020-12-31', dateOrder: true, expectedRevision: first.revision };
    expect(await define('TWO', rules)).toMatchObject({ closedUntil: '2020-12-31', dateOrder: true });
    expect(await define('TWO', rules)).toMatchObject({ revision: first.revision + 1 });
  });
});

test('existing and new series without a format get the default format of their space', async () => {
  const { numbering } = office;
  const at = { space: 'P9', timeZone: 'Asia/Bangkok', actor: 'a' };
  const template = '{TYPE}-{YEAR}-{SEQ:3}';
  await numbering.defineSeries({ ...at, series: 'EARLY' });
  await numbering.defineSeries({ ...at, series: 'OWN' });
  await numbering.saveFormat({ ...at, series: 'OWN', template: 'MINE-{YEAR}-{SEQ:4}' });
  const unfit = numbering.saveDefaultFormat({ ...at, template: '{TYPE}-{YEAR}' });
  await expect(unfit).rejects.toMatchObject({ code: 'INVALID_FORMAT' });
  for (const saved of [[expect.objectContaining({ series: 'EARLY', version: 1 })], []]) {
    expect(await numbering.saveDefaultFormat({ ...at, template })).toEqual(saved);
  }
  const late = await numbering.defineSeries({ ...at, series: 'LATE' });
  expect(await numbering.defineSeries({ ...at, series: 'LATE' })).toEqual(late);
  // It does not show the dimension, so another counter could print the same numbers.
  await numbering.defineSeries({ ...at, series: 'WIDE', dimensions: ['ORG'] });
  const formats = await numbering.listFormats({ space: 'P9' });
  expect(formats.map((format) => [format.series, format.template])).toEqual([
    ['EARLY', template],
    ['LATE', template],
    ['OWN', 'MINE-{YEAR}-{SEQ:4}'],
  ]);
  const issued = await numbering.issue({ space: 'P9', series: 'LATE', actor: 'a' });
  expect(issued.number).toMatch(/^LATE-\d{4}-001$/);
  const events = (await numbering.listEvents({ space: 'P9' })).items.map(({ item }) => item.type);
  expect(events.filter((type) => type === 'default_format_saved')).toHaveLength(1);
});
