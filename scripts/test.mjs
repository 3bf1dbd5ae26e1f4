import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { report, runGuarded } from './step.mjs';
import { printFailures, printResults, printTotal, readResults } from './test-results.mjs';
import { build, importBuilt, packageFolders, prepareWorkspace, root } from './workspace.mjs';

const SUMMARIES = join(root, '.turbo/runs');
/** Each package's tests are a Jest run with its own workers; with this many at a time, each has two cores. */
const AT_A_TIME = Math.floor(availableParallelism() / 2);
/** Turbo's option for at least so many packages at a time: tests wait more than they compute, so three keep two cores busy. */
const atLeast = (packages) => `--concurrency=${Math.max(packages, AT_A_TIME)}`;
/** The packages with the longest proofs, which begin together: none of them is to run on when all others have ended. */
const LONGEST = ['nemesis', 'consumers', 'client', 'gateway', 'console'];
/** The two halves of the suite: the value of SOLEGATE_TESTS, by which Jest chooses files, and what runs one after another. */
const QUICK = { tests: 'quick', phases: [[atLeast(3)]] };
const PROOFS = {
  tests: 'proofs',
  phases: [
    [...LONGEST.map((name) => `--filter=@solegate/${name}`), atLeast(LONGEST.length)],
    [...LONGEST.map((name) => `--filter=!@solegate/${name}`), atLeast(3)],
  ],
};
/** With arguments of Jest, such as the name of a file: whichever half it belongs to. */
const CHOSEN = { tests: 'all', phases: PROOFS.phases };
const TURBO_OPTIONS = ['--continue=dependencies-successful', '--output-logs=new-only', '--log-order=grouped'];
/** Each test file gets its own logical database, and none can empty those of the others. */
const REDIS_ARGUMENTS = ['--databases', '1024', '--rename-command', 'FLUSHALL', ''];

/**
 * Runs the quick tests of all packages on one PostgreSQL and one Redis; with `--proofs` the proofs, with `--all` both.
 * The results of unchanged packages come from turbo's cache. Other arguments are passed to turbo, such as
 * `--filter=@solegate/tsid-core` or `--force`, and those after `--` to Jest.
 *
 * @returns the exit code: 0 only if every test of every chosen package ran and passed
 */
export async function run(args) {
  const { halves, turboArgs } = readArguments(args);
  const env = await prepareWorkspace();
  await build('@solegate/local-services', env);
  const stores = await startStores();
  const results = [];
  try {
    for (const half of halves) {
      const startedAtMs = performance.now();
      const tasks = await runHalf(half, turboArgs, { ...env, ...stores.env });
      results.push(readResults(tasks));
      printResults(results.at(-1), half.tests, (performance.now() - startedAtMs) / 1000);
    }
  } finally {
    await stores.stop();
  }
  // The end of a log is the part that is read, and often the only one that is kept.
  printFailures(results.flat());
  printTotal(results.flat());
  return results.every((rows) => rows.length > 0 && rows.every(({ failed }) => failed === 0)) ? 0 : 1;
}

/** What to run, and the arguments of turbo, with those of Jest after `--`. */
export function readArguments(args) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = args.slice(0, end);
  const turboArgs = [...options.filter((arg) => arg !== '--all' && arg !== '--proofs'), ...args.slice(end)];
  return { halves: chooseHalves(options, end < args.length), turboArgs };
}

function chooseHalves(options, hasJestArgs) {
  const isAll = options.includes('--all');
  if (options.includes('--proofs') && !isAll) return [PROOFS];
  if (hasJestArgs) return [CHOSEN];
  return isAll ? [QUICK, PROOFS] : [QUICK];
}

/** Runs one half of the suite and returns its tasks. Both halves write to the same files, so read before the next. */
async function runHalf({ tests, phases }, args, env) {
  const tasks = [];
  for (const folder of packageFolders()) rmSync(join(root, folder, 'test-results.json'), { force: true });
  report(`testing: ${tests}`);
  // If packages were chosen, only those, in one phase.
  const isChosen = args.some((arg) => /^(?:--filter|-F|--affected)/.test(arg));
  for (const phase of isChosen ? [[`--concurrency=${Math.max(1, AT_A_TIME)}`]] : phases) {
    const earlier = listSummaries();
    await runGuarded('turbo', ['run', 'test', ...TURBO_OPTIONS, ...phase, ...args], {
      cwd: root,
      inherit: true,
      env: {
        ...env,
        TURBO_RUN_SUMMARY: 'true',
        // Both are part of turbo's cache key: results of one Node version or of other files do not apply.
        SOLEGATE_NODE_VERSION: process.version,
        SOLEGATE_TESTS: tests,
      },
    });
    tasks.push(...testTasks(earlier));
  }
  return tasks;
}

/**
 * Provides the servers for all packages: those in TEST_DATABASE_URL and TEST_REDIS_URL, else our own. Our own
 * data is temporary, so durability is off; a test that needs durability starts a separate server.
 *
 * Configured servers are part of turbo's cache key, since results on one do not apply to another. Ours differ
 * between runs only in their address, so they use variables that are not part of the key.
 */
async function startStores() {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const { startPostgres, startRedis } = await importBuilt('packages/local-services/dist/index.js');
  const [postgres, redis] = await Promise.all([
    TEST_DATABASE_URL ? undefined : startPostgres({ durability: 'none', onProgress: report }),
    TEST_REDIS_URL ? undefined : startRedis({ args: REDIS_ARGUMENTS, onProgress: report }),
  ]);
  return {
    env: {
      ...(postgres && { SOLEGATE_RUN_DATABASE_URL: postgres.url }),
      ...(redis && { SOLEGATE_RUN_REDIS_URL: redis.url }),
    },
    stop: () => Promise.all([postgres?.stop(), redis?.stop()]),
  };
}

/**
 * Reads from turbo's run summary the task of each package that was to be tested, whether or not its tests ran.
 */
function testTasks(earlier) {
  const file = listSummaries().find((name) => !earlier.includes(name));
  if (file === undefined) return [];
  const summary = JSON.parse(readFileSync(join(SUMMARIES, file), 'utf8'));
  rmSync(join(SUMMARIES, file));
  return packageFolders()
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
    .filter(({ name, scripts }) => scripts?.test !== undefined && summary.packages.includes(name))
    .map(({ folder, name }) => {
      const task = summary.tasks.find(({ taskId }) => taskId === `${name}#test`);
      return {
        package: name,
        directory: join(root, folder),
        exitCode: task?.execution?.exitCode,
        cached: task?.cache?.status === 'HIT',
      };
    });
}

function listSummaries() {
  return existsSync(SUMMARIES) ? readdirSync(SUMMARIES) : [];
}
