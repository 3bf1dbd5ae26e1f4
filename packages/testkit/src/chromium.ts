import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const PACKAGES = fileURLToPath(new URL('../chromium/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));
const FILES = ['package.json', 'package-lock.json'];
/**
 * Flags that relax the security of an ordinary browser, give up process isolation, or render on an emulated graphics
 * card, which takes a third more processor time.
 */
const UNWANTED = /web-security|site-isolation|process-per|single-process|gpu|use-gl|use-angle|swiftshader/;

/** The part of `@sparticuz/chromium` that is used. */
interface ChromiumPackage {
  readonly args: readonly string[];
  executablePath(): Promise<string>;
}

/**
 * Launches a real headless Chromium. The first call downloads it from the npm registry (66 MB) into `.cache`; it needs
 * no system packages.
 */
export async function launchChromium(): Promise<Browser> {
  const folder = await installed();
  const main = join(folder, 'node_modules/@sparticuz/chromium/build/index.js');
  const { default: found } = (await import(pathToFileURL(main).href)) as { default: ChromiumPackage };
  return chromium.launch({
    args: [...found.args.filter((arg) => !UNWANTED.test(arg)), '--disable-gpu'],
    executablePath: await found.executablePath(),
    headless: true,
  });
}

/** The folder of the package. Concurrent processes each install separately; the first to finish wins. */
async function installed(): Promise<string> {
  const lock = await readFile(join(PACKAGES, 'package-lock.json'));
  const folder = join(CACHE, `chromium-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(join(CACHE, 'chromium-coming-'));
  await Promise.all(FILES.map((name) => cp(join(PACKAGES, name), join(own, name))));
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: own });
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
