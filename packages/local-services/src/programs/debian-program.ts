import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publishDirectory, unfinishedPlace } from '../system/reachable-place.js';
import type { ServerAccount } from '../system/server-account.js';
import { programDirectory } from './program-directory.js';

/*
 * Provides a server program on a Debian or Ubuntu that lacks it, without root and without changing the system:
 * apt fetches the package lists into a directory of our own, resolves the missing packages and downloads
 * them, and dpkg-deb unpacks them there. Nothing is installed. The finished directory appears by one
 * rename, so any number of processes can do this concurrently: the first to finish wins, the others discard
 * their work.
 *
 * Only the distribution's own sources are used, if they have their usual names: a broken third-party
 * source must not stop us.
 */

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../../../../.cache/', import.meta.url));
const SOURCE_FILES = ['sources.list', 'sources.list.d/debian.sources', 'sources.list.d/ubuntu.sources'];

/** A program of the distribution. */
export interface DebianProgram {
  /** Debian's name of the package, such as `redis-server`. */
  readonly packageName: string;
  /** Path of the program from the root of the file system, such as `usr/bin/redis-server`. */
  readonly command: string;
  /**
   * Packages that the program needs on a minimal system. Used if apt cannot resolve them on this
   * machine.
   */
  readonly usualPackages: readonly string[];
  /** A newer release, such as `trixie`, for this package alone. It must run with the other packages of this release. */
  readonly release?: string;
}

export interface UnpackedProgram {
  /** Absolute path. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the unpacked program in a place where the account can run it. Unpacks it first if necessary, which
 * takes a few seconds and is the only step that needs the network.
 */
export async function unpackDebianProgram(
  program: DebianProgram,
  account: ServerAccount,
  onProgress?: (step: string) => void,
): Promise<UnpackedProgram> {
  const release = program.release ?? (await distribution(program));
  const target = join(CACHE, `${program.packageName}-${release}-${process.arch}`);
  if (!(await exists(target))) {
    onProgress?.(`unpacking the distribution's package ${program.packageName} into .cache`);
    const work = unfinishedPlace(target);
    try {
      await unpackInto(work, program);
      await publishDirectory(join(work, 'root'), target);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
  const root = await programDirectory(target, `test -x "$1/${program.command}"`, account);
  return { command: join(root, program.command), env: await libraryPath(root) };
}

async function unpackInto(work: string, program: DebianProgram): Promise<void> {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'sources.list.d', 'root']) {
    await mkdir(join(work, folder), { recursive: true });
  }
  const sources: string[] = [];
  for (const file of SOURCE_FILES) if (await exists(join('/etc/apt', file))) sources.push(file);
  const { packageName, release } = program;
  const ownRelease = await distribution(program);
  for (const file of sources) {
    const text = await readFile(join('/etc/apt', file), 'utf8');
    const ofNewer = release === undefined ? '' : text.replaceAll(ownRelease, release);
    // An empty line separates the stanzas of a .sources file.
    await writeFile(join(work, file), `${text}\n\n${ofNewer}`);
  }
  const ownSources = [
    `Dir::Etc::SourceList=${work}/sources.list`,
    `Dir::Etc::SourceParts=${work}/sources.list.d`,
  ];
  const options = [
    `Dir::State::Lists=${work}/lists`,
    `Dir::Cache=${work}/cache`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    ...(sources.length > 0 ? ownSources : []),
    ...(release === undefined ? [] : [`APT::Default-Release=/^${ownRelease}/`]),
    'Acquire::Languages=none',
    'APT::Sandbox::User=',
    'Debug::NoLocking=1',
  ].map((option) => `-o${option}`);
  const apt = (...args: string[]) => run('apt-get', ['-qq', ...options, ...args], { cwd: work });

  await apt('update');
  const missing = await missingPackages(program, apt);
  const isNewer = (name: string) => release !== undefined && name === packageName;
  await apt('download', ...missing.map((name) => (isNewer(name) ? `${name}/${release}` : name)));
  const archives = (await readdir(work)).filter((name) => name.endsWith('.deb'));
  for (const archive of archives) await run('dpkg-deb', ['-x', join(work, archive), join(work, 'root')]);
}

async function missingPackages(
  { packageName, usualPackages }: DebianProgram,
  apt: (...args: string[]) => Promise<{ stdout: string }>,
): Promise<readonly string[]> {
  const plan = await apt('-s', '--no-install-recommends', 'install', packageName).catch(() => undefined);
  const names = [...(plan?.stdout ?? '').matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  return names.includes(packageName) ? names : usualPackages;
}

/** Library path for the libraries that were unpacked with the program, if any. */
async function libraryPath(root: string): Promise<Readonly<Record<string, string>>> {
  const folders = await readdir(join(root, 'usr/lib'), { withFileTypes: true }).catch(() => []);
  const paths = folders
    .filter((folder) => folder.isDirectory() && folder.name.includes('-linux-'))
    .map((folder) => join(root, 'usr/lib', folder.name));
  return paths.length === 0 ? {} : { LD_LIBRARY_PATH: paths.join(':') };
}

async function distribution({ packageName }: DebianProgram): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const codename = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(release)?.[1];
  if (codename === undefined || !(await exists('/etc/debian_version'))) {
    throw new Error(`the package ${packageName} can only be unpacked on Debian or Ubuntu`);
  }
  return codename;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
