import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const launcher = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
const names = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** How `npm run example` ends when it starts nothing. */
async function refusal(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<unknown> {
  const options = { env: { ...process.env, ...env } };
  const run = promisify(execFile)(process.execPath, [launcher, 'example', ...args], options);
  return run.then(
    () => undefined,
    (failure: { code: number; stderr: string }) => failure,
  );
}

describe('npm run example', () => {
  test.each([
    ['without a name', []],
    ['with an unknown name', ['nothing']],
    ['with a name of every object', ['constructor']],
    ['with a path', ['../examples/browser']],
  ])('%s lists all five examples with what they show', async (_, args) => {
    const { code, stderr } = (await refusal(args)) as { code: number; stderr: string };
    expect(code).toBe(1);
    expect(names).toHaveLength(5);
    for (const { name } of names) expect(stderr).toMatch(new RegExp(`npm run example ${name} +\\S.{20}`));
  });

  test('says how to choose another port if the usual one is in use', async () => {
    const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await refusal(['browser'], { PORT: String(port) })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(`Port ${port} is in use. .*PORT=\\d+ npm run example browser`),
      });
    } finally {
      server.close();
    }
  });
});
