import { describe, expect, test } from '@jest/globals';
import { CommandLineError, parseCommandLine } from '../src/command/command-line.js';
import { sabotagedScenarios } from '../src/command/environment.js';

function requestOf(...words: string[]) {
  const command = parseCommandLine(words);
  if (command.kind !== 'run') throw new Error(`expected a run, got ${command.kind}`);
  return command.request;
}

describe('the command line', () => {
  test('runs everything by default', () => {
    const request = requestOf();
    expect(request.scenarios).toEqual(['ids', 'node-leases', 'numbers', 'trips', 'gateway']);
    expect(request).not.toHaveProperty('parallel');
    expect(request.quick).toBe(false);
  });

  test('reads a shape of load, a length with its unit and a seed', () => {
    const request = requestOf(
      '--scenario',
      'trips',
      '--parallel',
      '1000',
      '--processes',
      '4',
      '--duration',
      '1.5s',
      '--seed',
      '7',
    );
    expect(request).toMatchObject({
      scenarios: ['trips'],
      parallel: 1000,
      processes: 4,
      durationMs: 1500,
      seed: 7,
    });
  });

  test('runs the one scenario whose experiments are picked', () => {
    expect(requestOf('--only', 'numbers.spread')).toMatchObject({
      scenarios: ['numbers'],
      only: 'numbers.spread',
    });
  });

  test('takes several scenarios and targets, repeated or with commas', () => {
    const request = requestOf(
      '--scenario',
      'trips,numbers',
      '--scenario',
      'ids',
      '--target',
      'http://a:1,http://b:2/graphql',
    );
    expect(request.scenarios).toEqual(['trips', 'numbers', 'ids']);
    expect(request.targets).toEqual(['http://a:1/graphql', 'http://b:2/graphql']);
  });

  test('rejects, with a target, scenarios that cannot be checked from outside', () => {
    expect(requestOf('--target', 'http://a:1').scenarios).toEqual(['ids', 'numbers', 'trips', 'gateway']);
    expect(() => requestOf('--target', 'http://a:1', '--scenario', 'node-leases')).toThrow(
      /against a target/,
    );
  });

  test('reads headers with colons in their value', () => {
    expect(requestOf('--header', 'Authorization: Bearer a:b').headers).toEqual({
      authorization: 'Bearer a:b',
    });
  });

  test.each([
    [['--scenario', 'trip'], /no scenario "trip"; there are ids/],
    [['--only', 'ids.real'], /--only takes the beginning of .*, not "ids\.real"/],
    [['--parallel', '0'], /--parallel takes a whole number from 1 to 10,000, not "0"/],
    [['--parallel', '1e3'], /--parallel takes/],
    [['--duration', '10'], /with its unit/],
    [['--duration', '5h'], /with its unit/],
    [['--processes', '4', '--parallel', '2'], /every process needs a caller/],
    [['--target', 'localhost:4000'], /address like http/],
    [['--header', 'nonsense'], /name: value/],
    [['--turbo'], /--help/],
    [['race'], /not a command of the bench/],
    [['compare', 'a.json'], /takes the earlier result and the later result, and got 1/],
    [['publish'], /takes a result file/],
  ])('refuses %j and says what to write', (words, message) => {
    expect(() => parseCommandLine(words)).toThrow(CommandLineError);
    expect(() => parseCommandLine(words)).toThrow(message);
  });

  test('knows compare and publish', () => {
    expect(parseCommandLine(['compare', 'a', 'b'])).toEqual({ kind: 'compare', before: 'a', after: 'b' });
    expect(parseCommandLine(['publish', 'a'])).toEqual({ kind: 'publish', file: 'a' });
    expect(parseCommandLine(['-h'])).toEqual({ kind: 'help' });
  });
});

describe('the control switch', () => {
  test('names scenarios and refuses anything else', () => {
    expect(sabotagedScenarios({ BENCH_SABOTAGE: 'trips,ids' })).toEqual(new Set(['trips', 'ids']));
    expect(sabotagedScenarios({}).size).toBe(0);
    expect(() => sabotagedScenarios({ BENCH_SABOTAGE: 'all' })).toThrow(/there are ids/);
  });
});
