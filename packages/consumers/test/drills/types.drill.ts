import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from '../project.js';
import { EVERY_CELL, typeCheck } from '../typed-program.js';

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

test.each(EVERY_CELL)('a program compiles: TypeScript $typescript, $resolution, $format', async (cell) => {
  expect(await typeCheck(project, cell)).toBe('');
});
