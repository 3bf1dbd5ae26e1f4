import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { temporaryPlace } from '../src/system/data-directory.js';

const made: string[] = [];

afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

/** An empty directory that every account can enter, removed after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await temporaryPlace(), 'solegate-services-'));
  await chmod(directory, 0o755);
  made.push(directory);
  return directory;
}
