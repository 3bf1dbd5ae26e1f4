import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

/** The value of an expression over what a script of the launcher exports. */
async function evaluate(script: string, expression: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const url = new URL(`../../../scripts/${script}.mjs`, import.meta.url).href;
  const program = `import * as script from '${url}'; console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}

/** The command with which the launcher calls npm, given the program that started it. */
const npmCommand = (execPath: string) =>
  evaluate('workspace', 'script.npmCommand()', { npm_execpath: execPath });

test('npm runs on the current Node', async () => {
  expect(await npmCommand('/usr/lib/npm/bin/npm-cli.js')).toEqual([
    process.execPath,
    '/usr/lib/npm/bin/npm-cli.js',
  ]);
});

test.each(['/root/pnpm/pnpm', '/root/pnpm/bin/pnpm.cjs', '/root/yarn/yarn.js', ''])(
  'npm from PATH is called when another program runs the tests: %s',
  async (path) => {
    expect(await npmCommand(path)).toEqual(['npm']);
  },
);

test.each([
  [[], ['quick'], []],
  [['--force'], ['quick'], ['--force']],
  [['--proofs', '--force'], ['proofs'], ['--force']],
  [['--all'], ['quick', 'proofs'], []],
  [['--', 'name.proof'], ['all'], ['--', 'name.proof']],
  [['--all', '--', '--all'], ['all'], ['--', '--all']],
  [['--proofs', '--', 'name.proof'], ['proofs'], ['--', 'name.proof']],
])('npm test -- %j runs the tests that are %j', async (args, tests, turboArgs) => {
  const read = (await evaluate('test', `script.readArguments(${JSON.stringify(args)})`)) as {
    readonly halves: readonly { readonly tests: string }[];
    readonly turboArgs: readonly string[];
  };
  expect(read.halves.map((half) => half.tests)).toEqual(tests);
  expect(read.turboArgs).toEqual(turboArgs);
});

test('every tool that is a binary is locked for Linux and macOS, on x64 and arm64', () => {
  const lockfile = readFileSync(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8');
  const { packages } = parse(lockfile) as {
    readonly packages: Record<string, { readonly os?: readonly string[]; readonly cpu?: readonly string[] }>;
  };
  // Such as `@turbo/` of `@turbo/darwin-arm64@2.11.11`.
  const toolsFor = (os: string, cpu: string) => {
    const ofPlatform = Object.entries(packages).filter(
      ([name, facts]) => name.includes(os) && facts.os?.includes(os) && facts.cpu?.includes(cpu),
    );
    return new Set(ofPlatform.map(([name]) => name.split(os)[0]));
  };
  const tools = toolsFor('linux', 'x64');
  expect(tools).toContain('@turbo/');
  expect(toolsFor('linux', 'arm64')).toEqual(tools);
  expect(toolsFor('darwin', 'x64')).toEqual(tools);
  expect(toolsFor('darwin', 'arm64')).toEqual(tools);
});
