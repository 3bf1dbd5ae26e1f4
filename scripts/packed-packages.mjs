import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const workspace = fileURLToPath(new URL('..', import.meta.url));

/** Published packages, by folder under `packages/`, sorted by name: those that are not private. */
export const PUBLISHED = readdirSync(join(workspace, 'packages'))
  .sort()
  .filter((name) => {
    const manifest = readFileSync(join(workspace, 'packages', name, 'package.json'), 'utf8');
    return JSON.parse(manifest).private !== true;
  });

/**
 * Packs the built packages, as a registry would serve them.
 *
 * @param {string} destination an empty or missing folder
 * @param {NodeJS.ProcessEnv} [env] has pnpm on its PATH
 * @returns {Promise<{ name: string, file: string }[]>} each package with the path of its tarball
 */
export async function packPackages(destination, env = process.env) {
  const filters = PUBLISHED.map((name) => `--filter=@solegate/${name}`);
  const args = [...filters, 'pack', `--pack-destination=${destination}`];
  await promisify(execFile)('pnpm', args, { cwd: workspace, env });
  const files = await readdir(destination);
  return files.map((file) => {
    const name = PUBLISHED.find((published) => file.startsWith(`solegate-${published}-`));
    return { name: `@solegate/${name}`, file: join(destination, file) };
  });
}
