import { describe, expect, test } from '@jest/globals';
import { judge, significant } from '../src/figures/judge.js';
import type { Target } from '../src/figures/target.js';
import { decisiveViolations } from '../src/measuring/result.js';
import { compareResults, comparisonTable } from '../src/reporting/comparison.js';
import { htmlPage } from '../src/reporting/html-page.js';
import { origin, readmeBlock, UnknownBlockError } from '../src/reporting/readme-block.js';
import { plainPaint, terminalTable } from '../src/reporting/terminal-table.js';
import { targets } from '../src/suite/scenarios.js';
import { aMeasurement, anExperiment, aResult } from './sample-result.js';

const target: Target = {
  id: 'numbers.sample',
  text: 'a sample',
  measured: { experiment: 'numbers.sample', subject: 'solegate', metric: 'perSecond' },
  against: { experiment: 'numbers.sample', subject: { fastest: 'peer' }, metric: 'perSecond' },
  bound: { atLeast: 5 },
  form: 'times',
};

describe('a figure', () => {
  test('is the median of ratios taken repeat by repeat, against the fastest peer', () => {
    const experiment = anExperiment('numbers.sample', [
      aMeasurement('solegate', 'solegate', [100, 200, 900]),
      aMeasurement('slow', 'peer', [1, 1, 1]),
      aMeasurement('fast', 'peer', [10, 50, 100]),
    ]);
    expect(judge([experiment], [target])).toEqual([
      {
        id: 'numbers.sample',
        text: 'a sample',
        value: '9x',
        bound: 'at least 5x',
        met: true,
        range: '4x … 10x',
      },
    ]);
  });

  test('is taken against the slower of two sides', () => {
    const experiment = anExperiment('numbers.sample', [
      aMeasurement('mixed', 'solegate', [40, 40]),
      aMeasurement('one kind', 'solegate', [100, 60]),
      aMeasurement('other kind', 'solegate', [50, 50]),
    ]);
    const measured = { ...target.measured, subject: 'mixed' };
    const against = { ...target.measured, subject: { slowest: ['one kind', 'other kind'] } };
    expect(judge([experiment], [{ ...target, measured, against }])[0]?.value).toBe('0.8x');
  });

  test.each([
    ['is cold if a side was timed for less than three seconds', { warmedMs: 1000, timedMs: 700 }, true],
    ['is cold if a side was warmed for less than a second', { warmedMs: 0, timedMs: 3000 }, true],
    ['is not cold otherwise', { warmedMs: 1000, timedMs: 3000 }, undefined],
  ])('%s', (_what, timing, cold) => {
    const experiment = anExperiment('numbers.sample', [
      aMeasurement('solegate', 'solegate', [100]),
      aMeasurement('fast', 'peer', [10]),
    ]);
    const [figure] = judge([{ ...experiment, timing }], [target]);
    expect(figure?.cold).toBe(cold);
    const block = readmeBlock('figures', { ...aResult([experiment]), figures: figure ? [figure] : [] });
    expect(block).toContain(cold ? '| 10x (cold) |' : '| 10x |');
  });

  test('that counts something is never cold', () => {
    const experiment = anExperiment('numbers.sample', [aMeasurement('solegate', 'solegate', [100])]);
    const { against: _against, ...count } = { ...target, form: 'count' as const };
    const timing = { warmedMs: 0, timedMs: 100 };
    expect(judge([{ ...experiment, timing }], [count])[0]).not.toHaveProperty('cold');
  });

  test('judged by its worst repeat needs every repeat to pass', () => {
    const experiment = anExperiment('numbers.sample', [
      aMeasurement('solegate', 'solegate', [60, 60, 40]),
      aMeasurement('fast', 'peer', [10, 10, 10]),
    ]);
    expect(judge([experiment], [{ ...target, judge: 'worst' }])[0]).toMatchObject({
      value: '4x',
      met: false,
    });
  });

  test('that misses by less than its printed digits is shown with more digits', () => {
    const experiment = anExperiment('numbers.sample', [
      aMeasurement('solegate', 'solegate', [49.987]),
      aMeasurement('fast', 'peer', [10]),
    ]);
    expect(judge([experiment], [target])[0]).toMatchObject({
      value: '4.9987x',
      bound: 'at least 5x',
      met: false,
    });
  });

  test('is left out when its experiment was not run', () => {
    expect(judge([], targets)).toEqual([]);
  });

  test('has a unique name', () => {
    expect(new Set(targets.map(({ id }) => id)).size).toBe(targets.length);
  });

  test('is written with three digits', () => {
    expect([0, 0.01234, 12.345, 1234.5].map((value) => significant(value))).toEqual([
      '0',
      '0.0123',
      '12.3',
      '1,235',
    ]);
  });
});

describe('a comparison of two results', () => {
  const result = (ours: number[], theirs: number[]) =>
    aResult([
      anExperiment('numbers.sample', [
        aMeasurement('solegate', 'solegate', ours),
        aMeasurement('original design', 'original', theirs),
      ]),
    ]);
  const steady = [100, 101, 99, 100, 102];
  const verdict = (before: ReturnType<typeof result>, after: ReturnType<typeof result>) =>
    compareResults(before, after)[0];

  test('detects faster and slower results', () => {
    const base = result([1000, 1010, 990, 1005, 1020], steady);
    const better = result([1500, 1510, 1490, 1505, 1520], steady);
    expect(verdict(base, better)).toMatchObject({ verdict: 'faster', against: 'original design' });
    expect(verdict(better, base)).toMatchObject({ verdict: 'slower' });
  });

  test('is not fooled by a machine that is twice as slow for both', () => {
    const base = result([1000, 1010, 990, 1005, 1020], steady);
    const slower = result(
      [500, 505, 495, 502, 510],
      steady.map((value) => value / 2),
    );
    expect(verdict(base, slower)).toMatchObject({ verdict: 'same' });
  });

  test('reports noise as the same', () => {
    const noisy = result([1000, 700, 1300, 900, 1100], steady);
    const other = result([1100, 800, 1400, 950, 1200], steady);
    expect(verdict(noisy, other)).toMatchObject({ verdict: 'same' });
  });

  test('does not decide on too few repeats', () => {
    const base = result([1000, 1010], [100, 101]);
    const better = result([2000, 2010], [100, 101]);
    expect(verdict(base, better)).toMatchObject({ verdict: 'undecided' });
    expect(comparisonTable(base, better)).toMatch(/run with --repeats 5/);
  });

  test('reports that there is nothing to compare', () => {
    expect(comparisonTable(aResult([]), aResult([]))).toMatch(/no experiment in common/);
  });
});

describe('what is shown', () => {
  const experiment = anExperiment('numbers.sample', [
    aMeasurement('solegate', 'solegate', [100, 110]),
    aMeasurement('original design', 'original', [10, 11]),
  ]);
  const figures = judge(
    [experiment],
    [{ ...target, against: { ...target.measured, subject: 'original design' } }],
  );
  const shown = { ...aResult([experiment]), figures };

  test('a table has subjects, ratios and figures with their bounds', () => {
    const table = terminalTable(shown, plainPaint);
    expect(table).toMatch(/solegate +105 .*10x/);
    expect(table).toMatch(/met +a sample +10x .* at least 5x/);
  });

  test('a table has the processor time of the server where it was measured', () => {
    const [measurement] = experiment.measurements;
    if (measurement === undefined) throw new Error('the sample has no measurement');
    const repeats = measurement.repeats.map((metrics) => ({ ...metrics, serverUs: 12.34 }));
    const metered = { ...experiment, measurements: [{ ...measurement, repeats }] };
    expect(terminalTable(aResult([metered]), plainPaint)).toMatch(/server µs[\s\S]*solegate +105 .* 12\.3/);
    expect(terminalTable(shown, plainPaint)).not.toMatch(/server µs/);
  });

  test('a page is one file without scripts or external files, with a chart and two color schemes', () => {
    const page = htmlPage(shown);
    expect(page).toMatch(/<svg/);
    expect(page).toMatch(/prefers-color-scheme: dark/);
    expect(page).not.toMatch(/<script|<link|@import|src=/);
    expect(page).not.toMatch(/#0a0b/);
    expect(page).not.toMatch(/NaN|undefined/);
  });

  test('a guarantee broken by us fails the run, and is named in page and table', () => {
    const broken = aMeasurement(
      'solegate',
      'solegate',
      [1],
      [{ rule: 'gapless', witness: 'number 3 is missing' }],
    );
    const result = aResult([anExperiment('numbers.sample', [broken])]);
    expect(decisiveViolations(result)).toEqual(['numbers.sample · solegate: gapless: number 3 is missing']);
    expect(htmlPage(result)).toMatch(/A guarantee was broken/);
    expect(terminalTable(result, plainPaint)).toMatch(/BROKEN gapless: number 3 is missing/);
  });

  test('a guarantee broken by others does not', () => {
    const broken = aMeasurement('original design', 'original', [1], [{ rule: 'unique', witness: 'twice' }]);
    expect(decisiveViolations(aResult([anExperiment('numbers.sample', [broken])]))).toEqual([]);
  });

  test('a README block compares subjects or lists the figures, and names the machine', () => {
    const block = readmeBlock('numbers.sample | solegate', shown);
    expect(block).toMatch(/\| \| solegate \|\n\|---\|---:\|\n\| a sample experiment \| 105\/s \|/);
    expect(origin(shown)).toMatch(/on 2026-01-02: Sample CPU, 2 cores, Node 20/);
    expect(readmeBlock('figures', shown)).toMatch(/\| a sample \| 10x \| at least 5x \|/);
    expect(readmeBlock('capacity | numbers.sample', shown)).toMatch(/\| a sample experiment \| 105 \| 19 \|/);
  });

  test.each([
    ['numbers.sample', 'names no subject'],
    ['nonsense | solegate', 'no experiment is called "nonsense"'],
    ['capacity | nonsense', 'no experiment is called "nonsense"'],
    ['numbers.sample | nobody', '"numbers.sample" does not measure "nobody"'],
  ])('a README block that says %j is refused: %s', (block, why) => {
    expect(() => readmeBlock(block, shown)).toThrow(UnknownBlockError);
    expect(() => readmeBlock(block, shown)).toThrow(why);
  });
});
