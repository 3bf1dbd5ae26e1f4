import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { report, runGuarded } from './step.mjs';
import { printResults, readResults } from './test-results.mjs';
import { build, importBuilt, packageFolders, prepareWorkspace, root } from './workspace.mjs';

const SUMMARIES = join(root, '.turbo/runs');
/** Each package's tests are a Jest run with its own workers; with this many at a time, each has two cores. */
const AT_A_TIME = Math.floor(availableParallelism() / 2);
/**
 * First the packages, whose tests wait more than they compute: at least two at a time. Then the applications, which run
 * gateways, servers or a browser: with less than two cores each, fault tests would depend on the load of the machine.
 */
const PHASES = [
  ['--filter=./packages/*', `--concurrency=${Math.max(2, AT_A_TIME)}`],
  ['--filter=./apps/*', '--filter=./docker', `--concurrency=${Math.max(1, AT_A_TIME)}`],
];
const TURBO_OPTIONS = ['--continue=dependencies-successful', '--output-logs=new-only', '--log-order=grouped'];
/** Each test file gets its own logical database, and none can empty those of the others. */
const REDIS_ARGUMENTS = ['--databases', '1024', '--rename-command', 'FLUSHALL', ''];

/**
 * Runs the tests of all packages on one PostgreSQL and one Redis. The results of unchanged packages come from
 * turbo's cache. Arguments are passed to turbo, such as `--filter=@solegate/tsid-core` or `--force`.
 *
 * @returns the exit code: 0 only if every test of every chosen package ran and passed
 */
export async function run(args) {
  const env = await prepareWorkspace();
  await build('@solegate/local-services', env);
  const stores = await startStores();
  const tasks = [];
  try {
    for (const folder of packageFolders()) rmSync(join(root, folder, 'test-results.json'), { force: true });
    report('testing');
    for (const phase of phasesOf(args)) {
      const earlier = listSummaries();
      await runGuarded('turbo', ['run', 'test', ...TURBO_OPTIONS, ...phase, ...args], {
        cwd: root,
        inherit: true,
        env: {
          ...env,
          ...stores.env,
          TURBO_RUN_SUMMARY: 'true',
          // Part of turbo's cache key: results of one Node version do not apply to another.
          SOLEGATE_NODE_VERSION: process.version,
        },
      });
      tasks.push(...testTasks(earlier));
    }
  } finally {
    await stores.stop();
  }
  const results = readResults(tasks);
  printResults(results);
  return results.every((result) => result.failed === 0) && results.length > 0 ? 0 : 1;
}

/** If packages were chosen, runs only those, in one phase. */
function phasesOf(args) {
  const isChosen = args.some((arg) => /^(?:--filter|-F|--affected)/.test(arg));
  return isChosen ? [[`--concurrency=${Math.max(1, AT_A_TIME)}`]] : PHASES;
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
