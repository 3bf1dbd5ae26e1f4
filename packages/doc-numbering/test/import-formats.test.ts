import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import type { Numbering } from '../src/index.js';
import { type Office, openOffice, rfaSeries } from './number-office.js';

/** Of an import and a format that could print one of its texts, one is refused, whichever is first. */
let office: Office;
let spaceCount = 0;

beforeAll(async () => {
  office = await openOffice();
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

/** A space with a series to import into, and one without a format. */
async function freshSpace() {
  spaceCount += 1;
  const space = `S${spaceCount}`;
  const actor = 'admin';
  for (const series of ['OLD', 'NEW'])
    await office.numbering.defineSeries({
      ...rfaSeries,
      space,
      series,
      dimensions: series === 'OLD' ? ['ORG'] : [],
      reset: 'never',
    });
  await office.numbering.saveFormat({ space, series: 'OLD', template: 'OLD-{ORG}-{SEQ:4}', actor });
  const rows = [
    { series: 'OLD', dimensions: { ORG: 'PAT' }, date: '2026-01-05', sequence: 1, number: 'NEW-0007' },
  ];
  const save = () => office.numbering.saveFormat({ space, series: 'NEW', template: 'NEW-{SEQ:4}', actor });
  return { save, importInto: (numbering: Numbering) => numbering.importNumbers({ space, rows, actor }) };
}

test('an import is BUSY if a format was saved after its rows were checked against the formats', async () => {
  let isAsked = false;
  let answer: (code: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const codes = {
    find: ({ token, reference }: { token: string; reference: string }) => {
      if (token !== 'ORG') return reference;
      isAsked = true;
      return answered;
    },
  };
  const importing = await office.another({ codes });
  const { save, importInto } = await freshSpace();
  const imported = importInto(importing);
  await until(() => isAsked);
  await save();
  answer('PAT');
  await expect(imported).rejects.toMatchObject({ code: 'BUSY', retryable: true });
  expect(await importInto(importing)).toMatchObject({
    imported: false,
    problems: [{ code: 'INVALID_REQUEST' }],
  });
});

test('of many imports, each beside such a format, none is stored with it', async () => {
  const another = await office.another();
  for (let round = 0; round < 20; round += 1) {
    const { save, importInto } = await freshSpace();
    const [saved, imported] = await Promise.allSettled([save(), importInto(another)]);
    const isImported = imported.status === 'fulfilled' && imported.value.imported;
    expect([saved.status === 'fulfilled', isImported]).not.toEqual([true, true]);
  }
});
