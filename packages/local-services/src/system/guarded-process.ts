import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAccount } from './server-account.js';
import { DataInUseError, ServerStartError } from './start-failure.js';

/*
 * A server that never outlives the node process that started it, and never shares its data with another server.
 *
 * The server is started by a shell that does three things and then becomes it (`exec`, so the child's
 * process ID, exit code and signals are the server's own):
 *
 *   lock      It acquires a kernel lock (flock) on a file in the data directory, through a descriptor that
 *             the server and all its children inherit. The kernel releases the lock when the last of them
 *             ends: it is never stale after a crash, and it is still held while a backend of a killed
 *             postmaster is writing. A shell that does not get the lock changes nothing and exits with LOCKED.
 *   log       Only then is the log file truncated: it belongs to the holder of the lock.
 *   watcher   A second shell, detached, reads from a pipe whose other end only our node process holds. A
 *             line means that the server ended normally. End of file means that node has died, in whatever
 *             way, `kill -9` included: the watcher ends the server with its end signals, 400 ms apart, and
 *             finally with SIGKILL, and removes its directory if that is temporary.
 *
 * A server that has ended but has not been reaped (a zombie) counts as ended: its new parent might be a
 * container's first process, which can be slow to reap.
 *
 * Both run in their own session, so that Ctrl-C in the terminal reaches node alone, which can then shut
 * down gracefully. Once started, neither keeps node's event loop alive: a program that forgets to stop its
 * servers still ends, and they end with it.
 */
const GUARD = `
end_signals=$1 log=$2 stale_file=$3 stale_line=$4 temporary=$5; shift 5
if command -v flock >/dev/null 2>&1; then flock -n 4
else perl -MFcntl=:flock -e 'open(L, ">&=4") and exit !flock(L, LOCK_EX | LOCK_NB)'; fi || exit 75
if [ -n "$stale_file" ] && read -r line <"$stale_file" && [ "$line" = "$stale_line" ]; then
  rm -f "$stale_file"
fi
server=$$
is_gone() {
  kill -0 "$server" || return 0
  [ -r "/proc/$server/status" ] || return 1
  while read -r key state rest; do [ "$key" != State: ] || break; done <"/proc/$server/status"
  [ "$state" = Z ]
}
( { exec 4>&-
    read -r line <&3 && exit
    for signal in $end_signals KILL; do
      kill -s "$signal" "$server"
      for tick in 1 2 3 4 5 6 7 8; do is_gone && break 2; sleep 0.05; done
    done
    [ -z "$temporary" ] || rm -rf "$temporary"
  } >/dev/null 2>&1 & )
exec "$@" 3<&- >"$log" 2>&1
`;
const LOCKED = 75;

/** A previous server on the same data takes up to a second to end after its node process died. */
const LOCK_WAIT_MS = 3_000;
/** Recovery after a crash can have much to replay. */
const READY_WAIT_MS = 120_000;
/** The shutdown checkpoint of a busy PostgreSQL takes seconds on a slow disk. */
const STOP_WAIT_MS = 10_000;

export interface GuardedProgram {
  /** Name for messages: `PostgreSQL`, `Redis`. */
  readonly service: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly account: ServerAccount;
  /** Working directory, with the lock and the log; must belong to the account. */
  readonly directory: string;
  /** Whether the directory is removed with the server when node dies. */
  readonly isTemporary?: boolean;
  /** Signals that end the server, gentlest first; SIGKILL follows automatically. */
  readonly endSignals: readonly NodeJS.Signals[];
  /**
   * A file that the server would mistake for a running instance; removed under the lock if `line` is still
   * its first line.
   */
  readonly stale?: { readonly file: string; readonly line: string };
  /** How long `stop` waits before the next, firmer signal. Default 10,000. */
  readonly stopWaitMs?: number;
}

export interface GuardedCommand extends GuardedProgram {
  /** Polled every few milliseconds until it returns true. */
  readonly isReady: (pid: number) => Promise<boolean>;
  /** How long to wait while another server holds the data. Default 3,000. */
  readonly lockWaitMs?: number;
  /** How long to wait for the server to become ready. Default 120,000. */
  readonly readyWaitMs?: number;
}

export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface GuardedProcess {
  /** The server's own process ID. */
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the server and waits for it. Can be called twice, or after the server has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the server and waits until it is ready. Throws DataInUseError or ServerStartError; then nothing is
 * left running.
 */
export async function startGuarded(command: GuardedCommand): Promise<GuardedProcess> {
  const deadline = performance.now() + (command.lockWaitMs ?? LOCK_WAIT_MS);
  for (;;) {
    const { child, server } = spawnGuarded(command);
    const failure = await untilReady(server, command);
    if (failure === undefined) {
      child.unref();
      return server;
    }
    if (failure.exitCode !== LOCKED) throw await startError(command, failure);
    if (performance.now() > deadline) throw new DataInUseError(command.service, command.directory);
    await delay(50);
  }
}

/** Runs a program until it exits; it is killed if node dies. Throws ServerStartError if it fails. */
export async function runGuarded(program: GuardedProgram): Promise<void> {
  const exit = await spawnGuarded(program).server.exited;
  if (exit.exitCode !== 0) throw await startError(program, exit);
}

function spawnGuarded(command: GuardedProgram): { child: ChildProcess; server: GuardedProcess } {
  const { account } = command;
  const lock = openSync(join(command.directory, 'server.lock'), 'a', 0o600);
  try {
    if (account.switchTo !== undefined) fchownSync(lock, account.switchTo.uid, account.switchTo.gid);
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        GUARD,
        'guard',
        command.endSignals.map((signal) => signal.slice('SIG'.length)).join(' '),
        logFile(command),
        command.stale?.file ?? '',
        command.stale?.line ?? '',
        command.isTemporary ? command.directory : '',
        command.command,
        ...command.args,
      ],
      {
        ...account.switchTo,
        cwd: command.directory,
        detached: true,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...command.env },
        stdio: ['ignore', 'ignore', 'ignore', 'pipe', lock],
      },
    );
    return { child, server: watch(child, command) };
  } finally {
    closeSync(lock);
  }
}

function watch(child: ChildProcess, command: GuardedProgram): GuardedProcess {
  const lifeline = child.stdio[3];
  if (!(lifeline instanceof Socket)) throw new Error('The pipe to the watcher was not created.');
  lifeline.on('error', () => {});
  lifeline.unref();

  const exited = new Promise<ProcessExit>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new ServerStartError(command.service, cause.message, '', { cause })),
    );
    child.once('exit', (exitCode, signal) => {
      lifeline.end('ended\n');
      resolve({ exitCode, signal });
    });
  });
  exited.catch(() => {});

  return {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.ref();
      for (const signal of [...command.endSignals, 'SIGKILL'] as const) {
        child.kill(signal);
        if (await endsWithin(exited, command.stopWaitMs ?? STOP_WAIT_MS)) return;
      }
    },
  };
}

async function endsWithin(exited: Promise<unknown>, waitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const ended = exited.then(() => true);
  const patience = delay(waitMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([ended, patience]);
  } finally {
    timer.abort();
  }
}

async function untilReady(
  started: GuardedProcess,
  command: GuardedCommand,
): Promise<ProcessExit | undefined> {
  let ended: ProcessExit | undefined;
  const exited = started.exited.then((exit) => {
    ended = exit;
  });
  const waitMs = command.readyWaitMs ?? READY_WAIT_MS;
  const deadline = performance.now() + waitMs;
  while (ended === undefined) {
    if (await command.isReady(started.pid)) return undefined;
    if (performance.now() > deadline) {
      await started.stop();
      const log = await readLog(command);
      throw new ServerStartError(command.service, `not ready after ${waitMs / 1000} s`, log);
    }
    await Promise.race([exited, delay(10)]);
  }
  return ended;
}

async function startError(command: GuardedProgram, exit: ProcessExit): Promise<ServerStartError> {
  const end = exit.signal ?? `exit code ${exit.exitCode}`;
  return new ServerStartError(command.service, `it ended with ${end}`, await readLog(command));
}

function readLog(command: GuardedProgram): Promise<string> {
  return readFile(logFile(command), 'utf8').catch(() => '');
}

function logFile(command: GuardedProgram): string {
  return join(command.directory, 'server.log');
}
