import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { RULES } from '../src/history/check.js';
import { SABOTAGES } from './sabotages/all.js';

test('the README lists each promise with its rule and its sabotages', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- rules -->\n(.*)<!-- \/rules -->/s.exec(readme) ?? [];
  const rows = Object.entries(RULES).map(([rule, { promise }]) => {
    const names = SABOTAGES.flatMap(([name, { caughtBy }]) => (caughtBy === rule ? [`\`${name}\``] : []));
    return `| ${promise} | ${rule} | ${names.join(', ')} |`;
  });
  expect(table.trim().split('\n')).toEqual(['| promise | rule | sabotages |', '|---|---|---|', ...rows]);
});
