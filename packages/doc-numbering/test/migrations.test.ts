import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { migrations } from '../src/index.js';

// People's databases were made by exactly these texts: what changes a table is a further migration.
test('a migration that was published never changes', () => {
  const hashes = migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]);
  expect(hashes).toEqual([
    ['0001-tables', '17b14c4dab2088dbf2f3aad8a0550e7c39eaa73e208f4a6b8dc1a78274feb57f'],
    ['0002-guards', '743bcb93dfaf1c3edf536e3b4ab2dfd709b7e34a91ba09e833db134f154caf36'],
    ['0003-corrections', '89f8cb4b58baf9acd01d51828e923d6fe2f761e234fc041cbbcea3b7cad87de9'],
    ['0004-periods', '2277988a6e3d09857b421c8820474096d10945d301f8eeb3165fd0b6e9e043c8'],
    ['0005-archive', 'fc6530a48dc68ffee82aaed304f7541f974f6ef8d8916494ddb13ae342940a02'],
  ]);
});
