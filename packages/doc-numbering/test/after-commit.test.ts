import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '@solegate/testkit';
import { type Office, openOffice } from './number-office.js';

/** What follows a commit fails: the caller must not read that nothing was done. */
let proxy: FaultProxy;
let office: Office;

beforeAll(async () => {
  office = await openOffice({
    through: async (url) => {
      proxy = await startFaultProxy(url);
      return proxy.url;
    },
  });
});

afterAll(async () => {
  await office[Symbol.asyncDispose]();
  await proxy.close();
});

test('a definition or a default format that was applied, but not what follows it, is in doubt', async () => {
  const series = { space: 'DOUBT', series: 'RFA', timeZone: 'UTC', actor: 'a' };
  const format = { space: 'DOUBT', template: '{TYPE}-{YEAR}-{SEQ:4}', actor: 'a' };
  const define = () => office.numbering.defineSeries(series);
  const save = () => office.numbering.saveDefaultFormat(format);
  for (const call of [define, save]) {
    proxy.set('cutBeforeReply', { count: 3, matching: 'SELECT d.template' });
    await expect(call()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true });
    await call();
  }
  const [only] = await office.numbering.listFormats({ space: 'DOUBT', series: 'RFA' });
  expect(only).toMatchObject({ template: format.template });
});
