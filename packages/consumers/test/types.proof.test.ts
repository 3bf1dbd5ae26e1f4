import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from './project.js';
import { checkPage, checkTwoFormats, EVERY_CELL, typeCheck } from './typed-program.js';

/** The newest compiler in every mode, and the oldest in the mode that the newest lacks; `test:drills` runs every combination. */
const CELLS = EVERY_CELL.filter(
  ({ typescript, resolution, format }) =>
    typescript === '7' || (typescript === '5.4' && resolution === 'node10' && format === 'cjs'),
);

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

test.each(CELLS)('a program compiles: TypeScript $typescript, $resolution, $format', async (cell) => {
  expect(await typeCheck(project, cell)).toBe('');
});

test('each format accepts what the other one hands out', async () => {
  expect(await checkTwoFormats(project)).toBe('');
});

test.each(['5.4', '7'] as const)(
  'a page compiles without the types of Node and of graphql-js: TypeScript %s',
  async (typescript) => {
    expect(await checkPage(project, typescript)).toBe('');
  },
);
