import { type ChildProcess, spawn } from 'node:child_process';

/*
 * Processes that must not outlive this one, whatever ends it. A small shell, outside our process group, is told their IDs
 * through a pipe; when the pipe ends it kills those that are left. SIGKILL works on stopped processes too, which could not
 * notice our death by themselves.
 */
const EXECUTOR = `
pids=
while read -r verb pid; do
  case $verb in
    add) pids="$pids $pid" ;;
    drop) kept=; for known in $pids; do [ "$known" = "$pid" ] || kept="$kept $known"; done; pids=$kept ;;
  esac
done
[ -z "$pids" ] || kill -KILL $pids
`;

const named = new Set<number>();
let executor: ChildProcess | undefined;

/** Kills the process when this one dies. Call the returned function when it has ended, or may live on. */
export function dieWithUs(pid: number): () => void {
  executor ??= startExecutor();
  const { stdin } = executor;
  named.add(pid);
  stdin?.write(`add ${pid}\n`);
  return () => {
    if (!named.delete(pid)) return;
    stdin?.write(`drop ${pid}\n`);
    if (named.size > 0) return;
    stdin?.end();
    executor = undefined;
  };
}

function startExecutor(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', EXECUTOR], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin.on('error', () => {});
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
