import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { blockOf } from '../operations-page.js';

test('systemd accepts the unit of install.md without a remark', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-unit-'));
  const unit = join(folder, 'solegate@.service');
  await writeFile(unit, blockOf('install.md', 'ini', '[Service]'));
  expect(await promisify(execFile)('systemd-analyze', ['verify', unit])).toEqual({ stdout: '', stderr: '' });
  await rm(folder, { recursive: true });
});
