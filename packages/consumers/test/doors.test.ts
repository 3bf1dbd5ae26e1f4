import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from './project.js';

let project: Project;

beforeAll(async () => {
  project = await createProject();
  await project.write('package.json', '{ "type": "module" }');
});

afterAll(() => project[Symbol.asyncDispose]());

/** Runs statements that can call `required(name)` and `imported(name)`, and returns their parsed JSON output. */
async function inOneProcess(statements: string): Promise<unknown> {
  const program = `
    import { createRequire } from 'node:module';
    const required = createRequire(import.meta.url);
    const imported = (name) => import(name);
    ${statements}`;
  return JSON.parse(await project.node(await project.write('program.js', program)));
}

test('every entry point exports the same names to import and to require', async () => {
  const names = project.doors.map((door) => door.name);
  expect(names.length).toBeGreaterThanOrEqual(14);
  const found = await inOneProcess(`
    const facts = {};
    for (const name of ${JSON.stringify(names)}) {
      const module = Object.keys(await imported(name)).filter((key) => key !== 'default' && key !== 'module.exports');
      facts[name] = [module.sort(), Object.keys(required(name)).sort()];
    }
    console.log(JSON.stringify(facts));`);
  for (const [imported, required] of Object.values(found as Record<string, [string[], string[]]>)) {
    expect(imported).not.toEqual([]);
    expect(required).toEqual(imported);
  }
});

test('the ES module and the CommonJS copy are separate and never load each other', async () => {
  const isSame = await inOneProcess(`
    const module = await imported('@solegate/redis-infra');
    console.log(JSON.stringify(module.connectRedis === required('@solegate/redis-infra').connectRedis));`);
  expect(isSame).toBe(false);
});

test.each([
  ['redis-infra', 'RedisFailure', `new copy.RedisUnavailableError('away')`, 'REDIS_UNAVAILABLE'],
  ['doc-numbering', 'NumberingError', 'new copy.BusyError(7)', 'BUSY'],
  ['trip-reservation', 'TripReservationError', 'new copy.BusyError(1n, 2)', 'BUSY'],
  ['tsid-core', 'TsidError', `new copy.NodeInUseError('here', 1)`, 'NODE_IN_USE'],
  ['client', 'SolegateError', 'new copy.OutcomeUnknownError({})', 'OUTCOME_UNKNOWN'],
])('an error of %s is recognized by base and code in the other copy', async (name, base, made, code) => {
  const facts = await inOneProcess(`
    const module = await imported('@solegate/${name}');
    const copy = required('@solegate/${name}');
    const error = ${made};
    const other = new Error('another');
    console.log(JSON.stringify({
      isKnown: error instanceof module.${base}, code: error.code,
      isOwn: error instanceof copy.${base}, knowsOther: other instanceof module.${base},
    }));`);
  expect(facts).toEqual({ isKnown: true, isOwn: true, code, knowsOther: false });
});

test('both copies know which generator uses a node', async () => {
  const code = await inOneProcess(`
    (await imported('@solegate/tsid-core')).createTsidGenerator({ node: 9 });
    try { required('@solegate/tsid-core').createTsidGenerator({ node: 9 }); console.log('null'); }
    catch (error) { console.log(JSON.stringify(error.code)); }`);
  expect(code).toBe('NODE_IN_USE');
});
