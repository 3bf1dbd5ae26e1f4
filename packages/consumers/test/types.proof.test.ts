import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from './project.js';
import { checkPage, EVERY_CELL, typeCheck } from './typed-program.js';

/** The newest compiler in every other mode, and the oldest in the mode that the newest lacks. */
const CELLS = EVERY_CELL.filter(({ typescript, resolution, format }) =>
  typescript === '7'
    ? resolution !== 'nodenext'
    : typescript === '5.4' && resolution === 'node10' && format === 'cjs',
);

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

test.each(CELLS)(
  'a program compiles: TypeScript $typescript, $resolution, $format',
  async (cell) => {
    expect(await typeCheck(project, cell)).toBe('');
  },
  120_000,
);

test('a page compiles without the types of Node and of graphql-js: TypeScript 5.4', async () => {
  expect(await checkPage(project, '5.4')).toBe('');
}, 60_000);
