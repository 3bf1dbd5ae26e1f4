import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';

/** Facts, other than the code, on which a figure depends. */
export interface MachineFacts {
  readonly processor: string;
  readonly coreCount: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly redis: string;
  /** Versions of the packages that were compared, by name. */
  readonly packages: Readonly<Record<string, string>>;
}

export function machineFacts(
  stores: { readonly postgres: string; readonly redis: string },
  packages: Readonly<Record<string, string>>,
): MachineFacts {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    coreCount: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()} ${release()}`,
    node: process.versions.node,
    ...stores,
    packages,
  };
}

/** Installed versions of the named packages, with a note for each one that is absent. */
export function installedVersions(names: readonly string[]): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const name of names) {
    const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
    try {
      versions[name] = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    } catch {
      versions[name] = 'not installed';
    }
  }
  return versions;
}
