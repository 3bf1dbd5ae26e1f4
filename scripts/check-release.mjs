// Prints the version that `changeset version` would give, and fails if it is more than the changesets ask for: changesets
// makes a package major as soon as a dependency leaves the range of its peers, and our packages share one version.
// Usage: node scripts/check-release.mjs [--versioned] [folder of a workspace]
// With --versioned it fails if a changeset is left: the versions to be published do not include it.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const BUMPS = ['none', 'patch', 'minor', 'major'];

const { values, positionals } = parseArgs({
  options: { versioned: { type: 'boolean' } },
  allowPositionals: true,
});

const require = createRequire(import.meta.url);
// A dependency of the command line, so both always compute the same plan.
const { default: getReleasePlan } = createRequire(require.resolve('@changesets/cli'))(
  '@changesets/get-release-plan',
);

const { changesets, releases } = await getReleasePlan(resolve(positionals[0] ?? '.'));
const asked = highest(changesets.flatMap((changeset) => changeset.releases));
const planned = releases.filter(({ type }) => type !== 'none');
const excessive = planned.filter(({ type }) => BUMPS.indexOf(type) > BUMPS.indexOf(asked));

for (const version of new Set(planned.map(({ newVersion }) => newVersion))) {
  const names = planned.filter(({ newVersion }) => newVersion === version).map(({ name }) => name);
  console.log(`${version} (${asked}): ${names.join(', ')}`);
}
if (planned.length === 0) console.log('no release: there is no changeset');
if (values.versioned && changesets.length > 0) {
  console.error(
    `${changesets.length} changesets are not in the versions: run pnpm changeset version and commit the result.`,
  );
  process.exitCode = 1;
}
if (excessive.length > 0) {
  console.error(
    `The changesets ask for a ${asked} release, but ${excessive.length} packages would become ` +
      `${highest(excessive)}. Widen the peer range that the new version of a package leaves ("peerDependencies" in ` +
      'packages/*/package.json), or write a changeset that says major.',
  );
  process.exitCode = 1;
}

function highest(bumps) {
  return BUMPS[Math.max(0, ...bumps.map(({ type }) => BUMPS.indexOf(type)))];
}
