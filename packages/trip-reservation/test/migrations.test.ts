import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';

import { migrations } from '../src/index.js';

// People's databases were made by exactly these texts: what changes a table is a further migration.
test('a migration that was published never changes', () => {
  const hashes = migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]);
  expect(hashes).toEqual([
    ['0001-trips', '2febf244dcfc474e0045f86a2786b31791db6bd7983fcdc028edd6a2c2608714'],
    ['0002-trip-outbox', 'd79b656007ea98e3efb9de43f3bb7c6597142b306e57226de49ebe1509ac5079'],
    ['0003-trip-attempts', 'cf87dc73329f71a86cc3a9a1c56b8447dd8848c5c65855f76e7b4ff5b1d1cfe5'],
    ['0004-retention', '4fa93541e22b4cb46c51074841fe2f79b6a6d8a597423a6e4328b30aab892784'],
  ]);
});
