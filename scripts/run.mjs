/**
 * Entry point of `npm start`, `npm test` and `npm run` with check, bench, nemesis or example. It needs only Node and
 * npm: no dependency is imported before the workspace is installed, and no newer syntax is parsed before the version
 * is checked.
 */

import * as module from 'node:module';

const NODE_MINIMUM = [20, 19];

const verbs = {
  start: () => import('./start.mjs'),
  test: () => import('./test.mjs'),
  check: () => import('./check.mjs'),
  bench: () => program('bench'),
  nemesis: () => program('nemesis'),
  example: () => import('./example.mjs'),
};

const [verb, ...args] = process.argv.slice(2);
if (!isNodeRecent()) {
  fail(
    `Solegate needs Node ${NODE_MINIMUM.join('.')} or newer, from https://nodejs.org; this is ${process.version}.`,
  );
} else if (process.platform === 'win32') {
  fail('Solegate runs on Linux and macOS. On Windows, run the same command inside WSL.');
} else if (!Object.hasOwn(verbs, verb ?? '')) {
  fail(`Use npm start, npm test, or npm run check, bench, nemesis or example (got "${verb ?? ''}").`);
} else {
  endWithNpm();
  // From Node 22.1 on: caches compiled code for the next run.
  module.enableCompileCache?.();
  try {
    const { run } = await verbs[verb]();
    const exitCode = await run(args);
    if (exitCode !== undefined) process.exitCode = exitCode;
  } catch (error) {
    // The message of an error with a code is meant for the user; the stack is for internal errors.
    fail(error.name === 'StepError' || error.code !== undefined ? error.message : error.stack);
    process.exit();
  }
}

async function program(name) {
  const { programVerb } = await import('./program.mjs');
  return programVerb(name);
}

function isNodeRecent() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1]);
}

/**
 * Ends this process when npm dies. npm forwards SIGINT and SIGTERM, but a kill -9 of npm shows only as a new
 * parent process.
 */
function endWithNpm() {
  if (process.env.npm_execpath === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
