import { runGuarded } from './step.mjs';
import { prepareWorkspace, root } from './workspace.mjs';

/**
 * The checks of `npm run check`, in this order. The output of a check is printed if it fails, or if it is a result.
 */
const CHECKS = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'type-aware lint', command: ['oxlint', '--type-aware'] },
  { name: 'words in SQL and Lua', command: ['node', 'scripts/check-words.mjs'] },
  { name: 'types', command: ['turbo', 'run', 'check', '--output-logs=errors-only'] },
  { name: 'unused code and dependencies', command: ['knip'] },
  { name: 'dependency rules', command: ['node', 'scripts/check-dependencies.mjs'] },
  { name: 'schema against the released one', command: ['node', 'scripts/check-schema.mjs'] },
  { name: 'next release', command: ['node', 'scripts/check-release.mjs'], hasResult: true },
  { name: 'links', command: ['remark', '--frail', '--quiet', '--use', 'remark-validate-links', '.'] },
];

/** Runs every check, even after a failure, and lists those that failed. Returns the exit code. */
export async function run() {
  const env = await prepareWorkspace();
  const failed = [];
  for (const { name, command, hasResult = false } of CHECKS) {
    const startedAt = performance.now();
    const [program, ...args] = command;
    const { exitCode, output } = await runGuarded(program, args, { cwd: root, env });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (exitCode === 0) {
      console.log(`ok ${name} (${seconds} s)${hasResult ? `: ${output.trim()}` : ''}`);
    } else {
      failed.push(name);
      console.log(`FAILED ${name} (${seconds} s)\n$ ${command.join(' ')}\n${output}`);
    }
  }
  console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}
