import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { RULES } from '../src/history/check.js';
import { EVENT_SABOTAGES } from './sabotages/events.js';
import { FACT_SABOTAGES } from './sabotages/facts.js';
import { NUMBER_SABOTAGES } from './sabotages/numbers.js';
import type { Falsification } from './sabotages/sabotage.js';
import { SEAL_SABOTAGES } from './sabotages/seals.js';
import { TRIP_SABOTAGES } from './sabotages/trips.js';

test('the README lists each promise with its rule and its sabotages', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- rules -->\n(.*)<!-- \/rules -->/s.exec(readme) ?? [];
  const sabotages = Object.entries<Falsification>({
    ...NUMBER_SABOTAGES,
    ...SEAL_SABOTAGES,
    ...TRIP_SABOTAGES,
    ...EVENT_SABOTAGES,
    ...FACT_SABOTAGES,
  });
  const rows = Object.entries(RULES).map(([rule, { promise }]) => {
    const names = sabotages.flatMap(([name, { caughtBy }]) => (caughtBy === rule ? [`\`${name}\``] : []));
    return `| ${promise} | ${rule} | ${names.join(', ')} |`;
  });
  expect(table.trim().split('\n')).toEqual(['| promise | rule | sabotages |', '|---|---|---|', ...rows]);
});
