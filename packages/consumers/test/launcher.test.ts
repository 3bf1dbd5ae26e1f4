import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const workspace = new URL('../../../scripts/workspace.mjs', import.meta.url).href;

/** The command with which the launcher calls npm, given the program that started it. */
async function npmCommand(execPath: string): Promise<unknown> {
  const program = `import { npmCommand } from '${workspace}'; console.log(JSON.stringify(npmCommand()));`;
  const env = { ...process.env, npm_execpath: execPath };
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

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
