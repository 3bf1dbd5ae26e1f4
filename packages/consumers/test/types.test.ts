import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from './project.js';
import { checkPage, checkTwoFormats, EVERY_CELL, typeCheck } from './typed-program.js';

/** The newest compiler under nodenext; `types.proof.test.ts` runs its other modes, `test:drills` every combination. */
const CELLS = EVERY_CELL.filter(
  ({ typescript, resolution }) => typescript === '7' && resolution === 'nodenext',
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

test('each format accepts what the other one hands out', async () => {
  expect(await checkTwoFormats(project)).toBe('');
});

test('a page compiles without the types of Node and of graphql-js', async () => {
  expect(await checkPage(project, '7')).toBe('');
}, 60_000);
