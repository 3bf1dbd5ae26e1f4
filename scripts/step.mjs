import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * One step of the launcher: a command that never outlives us. It runs in its own process group, and a second
 * shell reads from a pipe that only we hold. When the pipe closes, however we die, the group gets SIGTERM
 * and 0.3 s later SIGKILL. So on Ctrl-C, which reaches us alone, we only need to exit.
 */
const GUARD = `
group=$$
( { read -r line <&3 && exit
    kill -s TERM -- -$group; sleep 0.3; kill -s KILL -- -$group
  } >/dev/null 2>&1 & )
exec "$@" 3<&-
`;
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
/** How long a process group has to end after SIGTERM, and how often we look whether it has. */
const STOP_MAX_MS = 5_000;
const STOP_POLL_MS = 50;
/** Steps that take less time print nothing. */
const QUIET_MS = 300;
const HEARTBEAT_MS = 5_000;

/** A step failed; the message contains its whole output. */
export class StepError extends Error {
  name = 'StepError';
}

/**
 * Runs a command, showing only progress, and returns its output. Throws StepError with the output if it fails.
 */
export async function runStep(title, command, args, options = {}) {
  const progress = startProgress(title);
  try {
    const { exitCode, output } = await runGuarded(command, args, { ...options, onOutput: progress.heard });
    if (exitCode === 0) return output;
    throw new StepError(
      `\nFailed: ${title} (exit code ${exitCode})\n$ ${[command, ...args].join(' ')}\n\n${output}`,
    );
  } finally {
    progress.stop();
  }
}

/**
 * Runs a command to its end. Collects its output, or passes it through with `inherit`. We exit on a signal, unless
 * `stop` is given: when that is aborted, the command and its children get SIGTERM, and SIGKILL 5 s later.
 */
export function runGuarded(
  command,
  args,
  { cwd, env = {}, inherit = false, onOutput = () => {}, stop } = {},
) {
  return new Promise((resolve, reject) => {
    const stream = inherit ? 'inherit' : 'pipe';
    const child = spawn('/bin/sh', ['-c', GUARD, 'guard', command, ...args], {
      cwd,
      detached: true,
      env: { ...process.env, ...env },
      stdio: ['ignore', stream, stream, 'pipe'],
    });
    const lifeline = child.stdio[3];
    lifeline.on('error', () => {});
    const release = stop === undefined ? exitOnSignal() : endOnAbort(child.pid, stop);

    let output = '';
    for (const source of [child.stdout, child.stderr]) {
      source?.setEncoding('utf8').on('data', (text) => {
        output += text;
        onOutput(text);
      });
    }
    child.once('error', reject);
    // End the lifeline first: `close` is emitted only once all pipes are closed, including this one.
    child.once('exit', () => lifeline.end('ended\n'));
    child.once('close', (code, signal) => {
      resolve(release().then(() => ({ exitCode: code ?? signal, output })));
    });
  });
}

/** Prints `[  3.2 s] message`: seconds since the launcher was started. */
export function report(message) {
  console.log(`[${(performance.now() / 1000).toFixed(1).padStart(5)} s] ${message}`);
}

function startProgress(title) {
  let lastLine = '';
  let beat = setTimeout(() => {
    report(title);
    beat = setInterval(() => report(`${title}: ${lastLine}`), HEARTBEAT_MS);
  }, QUIET_MS);
  return {
    heard: (text) => {
      lastLine = text.trim().split('\n').at(-1)?.trim() || lastLine;
    },
    stop: () => clearInterval(beat),
  };
}

function exitOnSignal() {
  const listeners = Object.entries(SIGNALS).map(([signal, exitCode]) => [
    signal,
    () => process.exit(exitCode),
  ]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return async () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

/** Returns a function that waits until no process of the group is left, if the signal was aborted. */
function endOnAbort(group, signal) {
  let ending;
  const end = () => {
    ending ??= endGroup(group);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  return async () => {
    signal.removeEventListener('abort', end);
    await ending;
  };
}

async function endGroup(group) {
  const startedAt = performance.now();
  for (let isAlive = killGroup(group, 'SIGTERM'); isAlive; isAlive = killGroup(group, 0)) {
    if (performance.now() - startedAt > STOP_MAX_MS) return killGroup(group, 'SIGKILL');
    await sleep(STOP_POLL_MS);
  }
}

/** Returns false if the group has no process left. */
function killGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}
