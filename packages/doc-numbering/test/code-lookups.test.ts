import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CodeQuery, Numbering } from '../src/index.js';
import { type Office, openOffice, rfa, rfaSeries, withSeries } from './number-office.js';

/** An application's master data that are slow, or never reply. */
let office: Office;
let asked: CodeQuery[] = [];
let inProgress = 0;
let inProgressMax = 0;
let reply: (query: CodeQuery) => Promise<string>;
let numbering: Numbering;

/** Enough for a store that is slow on an overloaded machine: only the directory must be waited for. */
const TIMEOUT_MS = 4_000;

beforeAll(async () => {
  office = await openOffice();
  await withSeries(office.numbering);
  const find = async (query: CodeQuery) => {
    asked.push(query);
    inProgress += 1;
    inProgressMax = Math.max(inProgressMax, inProgress);
    try {
      return await reply(query);
    } finally {
      inProgress -= 1;
    }
  };
  numbering = await office.another({ codes: { find }, requestTimeoutMs: TIMEOUT_MS });
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
});

describe('a directory that never replies', () => {
  const { space, series, actor } = rfaSeries;
  const imported = { ...rfa, sequence: 1, date: '2026-01-01' };

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    issue: () => numbering.issue(rfa),
    'issue with a key': () => numbering.issue({ ...rfa, key: 'silent' }),
    reserve: () => numbering.reserve(rfa),
    preview: () => numbering.preview(rfa),
    assign: () => numbering.assign({ ...rfa, sequence: 5, reason: 'x' }),
    defineSeries: () => numbering.defineSeries({ ...rfaSeries, series: 'NEW' }),
    saveFormat: () => numbering.saveFormat({ space, series, template: '{ORG}-{SEQ:4}', actor }),
    importNumbers: () => numbering.importNumbers({ space, rows: [imported], actor, timeoutMs: TIMEOUT_MS }),
  };

  test('ends every call with CODES_SILENT, and takes no number', async () => {
    reply = () => new Promise(() => undefined);
    const outcomes = Object.entries(calls).map(async ([name, call]) => {
      const refused = await call().then(String, (error: unknown) => error);
      return [name, refused] as const;
    });
    const silent = expect.objectContaining({ code: 'CODES_SILENT', retryable: true });
    expect(Object.fromEntries(await Promise.all(outcomes))).toEqual(
      Object.fromEntries(Object.keys(calls).map((name) => [name, silent])),
    );
    expect((await office.numbering.listNumbers({})).items).toEqual([]);
  });
});

test('a directory that throws for one code and rejects for another fails the request, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const hear = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', hear);
  const find = ({ token }: CodeQuery) => {
    if (token === 'DISCIPLINE') throw new Error('no such table');
    return token === 'ORG' ? Promise.reject(new Error('gone')) : token;
  };
  const failing = await office.another({ codes: { find } });
  await expect(failing.issue(rfa)).rejects.toThrow('no such table');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', hear);
  expect(unhandled).toEqual([]);
});

test('a definition asks for each code once, several at a time', async () => {
  const codes = Array.from({ length: 40 }, (_, index) => `S${index}`);
  for (const series of codes) await office.numbering.defineSeries({ ...rfaSeries, space: 'P2', series });
  asked = [];
  inProgress = 0;
  inProgressMax = 0;
  reply = async ({ reference }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return reference;
  };
  await numbering.defineSeries({ ...rfaSeries, space: 'P2', series: 'LAST' });
  expect(asked.map(({ token, reference }) => `${token} ${reference}`).sort()).toEqual(
    ['PROJECT P2', ...codes.map((code) => `TYPE ${code}`)].sort(),
  );
  expect(inProgressMax).toBeGreaterThan(1);
  expect(inProgressMax).toBeLessThanOrEqual(16);
});

test('a default format is not put over one that is saved while the codes of its series are looked up', async () => {
  const at = { space: 'P3', series: 'OWN', actor: 'admin' };
  const template = 'OWN-{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:4}';
  const inherited = '{TYPE}/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:4}';
  await office.numbering.saveDefaultFormat({ ...at, template: inherited });
  let isSaved = false;
  reply = async ({ token, reference }) => {
    if (token === 'TYPE' && !isSaved) {
      isSaved = true;
      await office.numbering.saveFormat({ ...at, template });
    }
    return reference;
  };
  const patient = await office.another({ codes: { find: (query) => reply(query) } });
  await patient.defineSeries({ ...rfaSeries, ...at });
  expect(isSaved).toBe(true);
  expect((await office.numbering.listFormats(at)).map((format) => format.template)).toEqual([template]);
});
