import { availableParallelism } from 'node:os';
import { runGuarded } from './step.mjs';
import { prepareWorkspace, root } from './workspace.mjs';

/** The checks of `npm run check`, longest first. The output of a check is printed if it fails, or if it is a result. */
const CHECKS = [
  { name: 'types', command: ['turbo', 'run', 'check', '--output-logs=errors-only'] },
  { name: 'type-aware lint', command: ['oxlint', '--type-aware'] },
  { name: 'dependency rules', command: ['node', 'scripts/check-dependencies.mjs'] },
  { name: 'unused code and dependencies', command: ['knip'] },
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'links', command: ['remark', '--frail', '--quiet', '--use', 'remark-validate-links', '.'] },
  { name: 'schema against the released one', command: ['node', 'scripts/check-schema.mjs'] },
  { name: 'next release', command: ['node', 'scripts/check-release.mjs'], hasResult: true },
  { name: 'words in SQL and Lua', command: ['node', 'scripts/check-words.mjs'] },
];
/** None needs the result of another, and most use one core. */
const AT_A_TIME = availableParallelism();

/** Runs every check, even after a failure, and lists those that failed. Returns the exit code. */
export async function run() {
  const env = await prepareWorkspace();
  const failed = [];
  const left = CHECKS.values();
  const runInTurn = async () => {
    for (const check of left) if (!(await hasPassed(check, env))) failed.push(check.name);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runInTurn));
  console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

async function hasPassed({ name, command, hasResult = false }, env) {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const { exitCode, output } = await runGuarded(program, args, { cwd: root, env });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (exitCode === 0) console.log(`ok ${name} (${seconds} s)${hasResult ? `: ${output.trim()}` : ''}`);
  else console.log(`FAILED ${name} (${seconds} s)\n$ ${command.join(' ')}\n${output}`);
  return exitCode === 0;
}
