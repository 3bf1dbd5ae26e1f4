import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');

test('the example of the README is the one that runs', async () => {
  expect(await read('../README.md')).toContain(`\`\`\`ts\n${await read('./example.test.ts')}\`\`\``);
});
