import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runStep, StepError } from './step.mjs';

/** Root folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const STAMP = join(root, 'node_modules/.install-stamp');
/** Folders that no build reads or writes. */
const UNBUILT = /^(?:\..*|node_modules|coverage|test|pictures)$/;

/** Folders of all packages of the workspace, relative to the checkout, sorted by name. */
export function packageFolders() {
  const parents = ['apps', 'packages'];
  const children = parents.flatMap((parent) =>
    readdirSync(join(root, parent))
      .sort()
      .map((name) => `${parent}/${name}`),
  );
  return [...children, 'docker'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Installs missing dependencies and returns the environment for the workspace's tools. */
export async function prepareWorkspace() {
  const env = {
    PATH: [join(root, 'node_modules/.bin'), dirname(await findPnpm()), process.env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  };
  const stamp = installStamp();
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
    await runStep(
      'installing dependencies',
      'pnpm',
      ['install', '--frozen-lockfile', '--prefer-offline', '--config.confirmModulesPurge=false'],
      // The lockfile pins hashes; checking the age of each release with the registry would take 10 s.
      { cwd: root, env: { ...env, PNPM_CONFIG_MINIMUM_RELEASE_AGE: '0' } },
    );
    writeFileSync(STAMP, stamp);
  }
  return env;
}

/** Builds the package of a name, or those of a folder such as `./packages/*`, with their dependencies, unless no file of the workspace has changed since the last build. */
export async function build(packageName, env) {
  const stamp = join(root, 'node_modules', `.build-stamp-${packageName.replaceAll(/[^\w-]/g, '-')}`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === workspaceState()) return;
  await runStep('building', 'turbo', ['run', 'build', `--filter=${packageName}`], { cwd: root, env });
  writeFileSync(stamp, workspaceState());
}

/** Imports a built module of the workspace. */
export async function importBuilt(path) {
  const file = join(root, path);
  if (!existsSync(file)) throw new StepError(`${path} is missing after the build.`);
  return await import(pathToFileURL(file).href);
}

/** Runs a built program in this process, as if it had been started directly. */
export async function becomeProgram(path, args) {
  process.argv.splice(1, process.argv.length, join(root, path), ...args);
  await importBuilt(path);
}

/** A hash of everything that affects the result of `pnpm install`. */
function installStamp() {
  const manifests = packageFolders().map((folder) => `${folder}/package.json`);
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** A hash of the path, size and time of sources and builds: takes some 50 ms; turbo would take ten times as long. */
function workspaceState() {
  const hash = createHash('sha256').update(process.version);
  const look = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory() && !UNBUILT.test(entry.name)) look(inner);
      if (!entry.isFile() || entry.name === 'test-results.json') continue;
      const { size, mtimeMs } = statSync(join(root, inner));
      hash.update(`${inner} ${size} ${mtimeMs}\n`);
    }
  };
  for (const folder of packageFolders()) look(folder);
  for (const file of ['pnpm-lock.yaml', 'turbo.json', 'tsconfig.base.json', 'tsconfig.commonjs.json']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Returns the path of pnpm in the version of package.json; npm fetches it once into its own cache. */
async function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const note = join(root, '.cache', `${packageManager}.path`);
  const known = existsSync(note) ? readFileSync(note, 'utf8') : '';
  if (known !== '' && existsSync(known)) return known;

  const [npm, ...npmArgs] = npmCommand();
  const args = [...npmArgs, 'exec', '--yes', `--package=${packageManager}`, '-c', 'command -v pnpm'];
  const output = await runStep(`fetching ${packageManager}`, npm, args, { cwd: root });
  const path = output.split('\n').find((line) => line.startsWith('/') && existsSync(line));
  if (path === undefined) throw new StepError(`npm exec printed no path of ${packageManager}:\n${output}`);
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, path);
  return path;
}

/** The npm that runs us, else the one on PATH: pnpm and yarn set their own program here, which can be native. */
export function npmCommand(path = process.env.npm_execpath ?? '') {
  return path.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm'];
}
