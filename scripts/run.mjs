/**
 * What stands behind `npm start`, `npm test`, `npm run check`, `npm run bench` and `npm run nemesis`. It needs
 * nothing but Node and npm: no dependency is imported before the workspace is installed, and no newer syntax is
 * parsed before the version is checked.
 */

import * as module from 'node:module';

const NODE_MINIMUM = [20, 19];

const verbs = {
  start: () => import('./start.mjs'),
  test: () => import('./test.mjs'),
  check: () => import('./check.mjs'),
  bench: () => program('bench'),
  nemesis: () => program('nemesis'),
};

const [verb, ...args] = process.argv.slice(2);
if (!isNodeRecent()) {
  fail(
    `Solegate needs Node ${NODE_MINIMUM.join('.')} or newer, from https://nodejs.org; this is ${process.version}.`,
  );
} else if (process.platform === 'win32') {
  fail('Solegate runs on Linux and macOS. On Windows, run the same command inside WSL.');
} else if (!Object.hasOwn(verbs, verb ?? '')) {
  fail(
    `Say what to run: npm start, npm test, npm run check, npm run bench or npm run nemesis (got "${verb ?? ''}")`,
  );
} else {
  endWithNpm();
  // From Node 22.1 on: what was compiled once is read next time.
  module.enableCompileCache?.();
  try {
    const { run } = await verbs[verb]();
    const exitCode = await run(args);
    if (exitCode !== undefined) process.exitCode = exitCode;
  } catch (error) {
    // An error with a code says what to do; the stack is for faults of ours.
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
 * npm passes SIGINT and SIGTERM on, but nobody passes on a kill -9 of npm: we notice that our parent is
 * another.
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
