import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jestPreset } from '@solegate/testkit/jest-preset';
import { packPackages } from '../../scripts/packed-packages.mjs';

/** Global setup: that of the preset. Then packs the built packages, once for the applications of all files. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setUp() {
  const { default: setUpServers } = await import(jestPreset().globalSetup);
  await setUpServers();
  const folder = await mkdtemp(join(tmpdir(), 'solegate-packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  process.env.SOLEGATE_PACKED = JSON.stringify(await packPackages(folder));
}
