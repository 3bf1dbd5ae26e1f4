import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createTestRedis } from '@solegate/testkit';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

test('the example of the README does what its comments say', async () => {
  await using redis = await createTestRedis();
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const project = await mkdtemp(join(tmpdir(), 'redis-infra-readme-'));
  try {
    await mkdir(join(project, 'node_modules/@solegate'), { recursive: true });
    await symlink(packageRoot, join(project, 'node_modules/@solegate/redis-infra'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await writeFile(join(project, 'example.ts'), /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), 'example.ts'],
      { cwd: project, env: { ...process.env, REDIS_URL: redis.url } },
    );
    expect(stdout).toBe('true\nfalse\nUP\n');
  } finally {
    await rm(project, { recursive: true });
  }
});
