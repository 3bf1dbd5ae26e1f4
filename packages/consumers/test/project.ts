import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { PUBLISHED } from '../../../scripts/packed-packages.mjs';

const run = promisify(execFile);

const installed = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Peers that an application installs, linked from this package's own dependencies. */
const PEERS = ['@types/node', '@types/pg', 'graphql', 'graphql-ws', 'ioredis', 'pg', 'redlock', 'typeorm'];

/** An entry point of a package, such as `@solegate/tsid-core/graphql`. */
interface Door {
  readonly name: string;
  readonly packageName: string;
}

/** An application in its own folder, with the packed packages in `node_modules`. */
export interface Project {
  readonly folder: string;
  readonly doors: readonly Door[];
  /** The packed packages, as a registry would serve them. */
  readonly tarballs: readonly string[];
  /** Writes a file of the application. */
  write(path: string, text: string): Promise<string>;
  /** Runs a file of the application and returns its output. */
  node(path: string, env?: NodeJS.ProcessEnv, args?: readonly string[]): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Unpacks the packages that `jest.setup.mjs` has packed into a new application outside this workspace.
 *
 * @param others further packages to link from this package's dependencies
 */
export async function createProject(others: readonly string[] = []): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'solegate-consumer-'));
  const modules = join(folder, 'node_modules');
  for (const name of [...PEERS, ...others]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(installed, name), join(modules, name));
  }
  const packages: readonly { name: string; file: string }[] = JSON.parse(process.env.SOLEGATE_PACKED ?? '[]');
  await Promise.all(packages.map(({ name, file }) => unpack(file, join(modules, name))));
  return {
    folder,
    doors: await readDoors(modules),
    tarballs: packages.map(({ file }) => file),
    write: async (path, text) => {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    node: async (path, env, args = []) => {
      const { stdout } = await run(process.execPath, [path, ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
      });
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function unpack(tarball: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
}

async function readDoors(modules: string): Promise<Door[]> {
  const doors = PUBLISHED.map(async (published) => {
    const packageName = `@solegate/${published}`;
    const manifest = JSON.parse(await readFile(join(modules, packageName, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'));
    return paths.map((path) => ({ name: packageName + path.slice(1), packageName }));
  });
  return (await Promise.all(doors)).flat();
}
