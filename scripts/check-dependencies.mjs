// Runs the dependency rules and fails if too few modules were read: without a supported parser, the tool reports
// "no violations" for zero modules.
import { execFileSync } from 'node:child_process';

const MODULE_COUNT_MIN = 100;

const report = JSON.parse(
  execFileSync(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'json',
      'apps',
      'packages',
    ],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  ),
);
const moduleCount = report.modules.filter((module) => /^(apps|packages)\//.test(module.source)).length;
for (const { rule, from, to, comment } of report.summary.violations) {
  console.error(`${rule.name}: ${from} -> ${to}${comment ? ` (${comment})` : ''}`);
}
if (moduleCount < MODULE_COUNT_MIN) {
  console.error(
    `Only ${moduleCount} modules were read (at least ${MODULE_COUNT_MIN} expected): the rules were not checked.`,
  );
}
process.exitCode = report.summary.error > 0 || moduleCount < MODULE_COUNT_MIN ? 1 : 0;
if (process.exitCode === 0) console.log(`${moduleCount} modules, no violation`);
