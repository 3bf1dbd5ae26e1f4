import { expect, test } from '@jest/globals';
import { faultOfCode } from '../src/master-data/code.js';
import { gatewayOfFile } from './gateway-fixture.js';

/** No two codes look alike, because people read them in print to distinguish documents. */
const gateway = gatewayOfFile();

test.each([
  'TEAM',
  'É',
  'Đà',
  'Ørsted',
  'คคง',
  'ผรม.ก1',
  '構造',
  'テスト',
  '구조',
  'ЖКХ',
  'ЭС',
  'ΔΣ',
  'A_1.2',
])('accepted: %s', (code) => expect(faultOfCode(code.normalize('NFC'))).toBeUndefined());

test.each([
  ['Cyrillic that reads as Latin', 'Е'],
  ['Cyrillic that reads as Latin', 'ОСТ'],
  ['Greek that reads as Latin', 'ΑΒΕ'],
  ['Latin and Cyrillic', 'TЕAM'],
  ['Latin and Thai', 'Aก'],
  ['fullwidth letters', 'ＴＥＡＭ'],
  ['a Roman numeral', 'Ⅳ'],
  ['a ligature', 'ﬁx'],
  ['a phonetic letter', 'ɑ1'],
  ['a dotless i', 'ı'],
  ['a click letter', 'ǀ1'],
  ['Cherokee', 'ᎪᎬ'],
  ['digits of another script', '١٢'],
  ['a separator', 'A-B'],
])('refused: %s (%s)', (_what, code) => expect(faultOfCode(code)).toEqual(expect.any(String)));

const create = (code: string) =>
  gateway.ask(
    'mutation ($code: String!) { createOrganization(input: { code: $code, name: "x" }) { ... on Organization { code } } }',
    {
      variables: { code },
    },
  );

test('a code is the same however its accents are composed', async () => {
  const [composed, decomposed] = ['É'.normalize('NFC'), 'É'.normalize('NFD')];
  expect((await create(decomposed)).data.createOrganization.code).toBe(composed);
  expect((await create(composed)).errors[0]?.extensions.reason).toBe('CODE_TAKEN');
  for (const organizationCode of [composed, decomposed]) {
    const { data, errors } = await gateway.ask(
      `query ($code: String!) { documentNumberPreview(input: {
        projectCode: "DEMO", organizationCode: $code, typeCode: "RFA", disciplineCode: "STR" }) { number } }`,
      { variables: { code: organizationCode } },
    );
    expect(errors).toEqual([]);
    expect(data.documentNumberPreview.number).toContain(composed);
  }
});

test('a code that only looks like another is refused', async () => {
  expect((await create('Е')).errors[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    reason: 'INVALID_CODE',
  });
});
