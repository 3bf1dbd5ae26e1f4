import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { CompiledFormat } from '../src/format/compiled-format.js';
import { type Office, openOffice, rfa, withSeries } from './number-office.js';

/** Reports and imports let other work of the process run: they are counted in turns of the event loop, not in time. */
let office: Office;

beforeAll(async () => {
  office = await openOffice({ requestTimeoutMs: 60_000 });
  await withSeries(office.numbering, { template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}' });
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

const ROWS = 20_000;
const TURN_ROWS = 500;

/** Turns that other work of the process gets while a call runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  let isOver = false;
  const turn = () => {
    count += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return count;
}

/** Returns the most steps of a call that run in one turn. `work` calls its argument at each step. */
async function stepsOfTurn(work: (step: () => void) => Promise<unknown>): Promise<number> {
  let count = 0;
  let countMax = 0;
  let isOver = false;
  const turn = () => {
    count = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work(() => {
    count += 1;
    countMax = Math.max(countMax, count);
  });
  isOver = true;
  return countMax;
}

test('an import of 20,000 rows lets other work run after every 500, in each of its steps', async () => {
  let turns = 0;
  const stepsMax = await stepsOfTurn(async (step) => {
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      series: 'RFA',
      dimensions: { ORG: 'OLD', DISCIPLINE: 'STR' },
      date: '2026-02-01',
      get sequence() {
        step();
        return ROWS - index;
      },
      number: `OLD/${index}`,
    }));
    turns = await turnsDuring(async () => {
      const report = await office.numbering.importNumbers({ space: 'P1', rows, actor: 'a' });
      expect(report).toMatchObject({ imported: true, rowCount: ROWS, counters: [{ raisedTo: ROWS }] });
    });
  });
  expect(stepsMax).toBeLessThanOrEqual(TURN_ROWS);
  // Rows are grouped, checked, put in order, looked up and written.
  expect(turns).toBeGreaterThan((5 * ROWS) / TURN_ROWS);
});

test('an import that records 20,000 holes before one row lets other work run after every 500', async () => {
  const { render } = CompiledFormat.prototype;
  const rendering = jest.spyOn(CompiledFormat.prototype, 'render');
  const row = { ...rfa, dimensions: { ORG: 'HOLES', DISCIPLINE: 'STR' }, date: '2026-02-01' };
  const stepsMax = await stepsOfTurn(async (step) => {
    rendering.mockImplementation(function (this: CompiledFormat, ...printed) {
      step();
      return render.apply(this, printed);
    });
    const rows = [{ ...row, sequence: ROWS + 1 }];
    const request = { space: 'P1', rows, actor: 'a', holes: 'record', dryRun: true } as const;
    expect(await office.numbering.importNumbers(request)).toMatchObject({ recordedHoleCount: ROWS });
  });
  rendering.mockRestore();
  expect(stepsMax).toBeLessThanOrEqual(TURN_ROWS);
});

test('an export and a reconciliation let other work run after every page of 500', async () => {
  const pages = ROWS / TURN_ROWS;
  const chunks: string[] = [];
  const turns = await turnsDuring(async () => {
    for await (const chunk of office.numbering.exportCsv({ space: 'P1' })) chunks.push(chunk);
  });
  expect(turns).toBeGreaterThanOrEqual(pages);
  expect(chunks).toHaveLength(1 + pages);
  expect(Math.max(...chunks.map((chunk) => chunk.split('\r\n').length - 1))).toBe(TURN_ROWS);
  expect(await office.numbering.reconcile()).toEqual([]);
  expect(
    (await office.numbering.issue({ ...rfa, dimensions: { ORG: 'OLD', DISCIPLINE: 'STR' } })).sequence,
  ).toBe(1 + ROWS);
});
