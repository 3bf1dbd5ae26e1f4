import { type ChildProcess, spawn } from 'node:child_process';

/*
 * Cleans up child processes and temporary directories that must not outlive this process, however it ends.
 *
 *   cleaner      A small shell outside our process group reads process IDs and paths from a pipe whose other end only we
 *                hold. It is started with the first entry and ends with the last.
 *   we die       The pipe closes. The cleaner kills the processes (SIGKILL also works on stopped ones, which could not
 *                notice our death), gives servers the time that their own guards need, and removes the directories.
 *   normal end   Code that has ended the process or removed the directory itself withdraws the entry.
 */
const CLEANER = `
set --
while read -r verb entry; do
  case $verb in
    add) set -- "$@" "$entry" ;;
    drop) count=$#; for known; do [ "$known" = "$entry" ] || set -- "$@" "$known"; done; shift $count ;;
  esac
done
for entry; do case $entry in /*) has_directory=yes ;; *) kill -KILL "$entry" ;; esac; done
[ -z "$has_directory" ] || sleep 2
for entry; do case $entry in /*) rm -rf -- "$entry" ;; esac; done
`;

const entries = new Set<string>();
let cleaner: ChildProcess | undefined;

/** Kills the process (number) or removes the directory (absolute path) when we die, unless the result is called. */
export function cleanUpAtExit(entry: number | string): () => void {
  const text = String(entry);
  cleaner ??= startCleaner();
  const { stdin } = cleaner;
  entries.add(text);
  stdin?.write(`add ${text}\n`);
  return () => {
    if (!entries.delete(text)) return;
    stdin?.write(`drop ${text}\n`);
    if (entries.size > 0) return;
    stdin?.end();
    cleaner = undefined;
  };
}

function startCleaner(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', CLEANER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin.on('error', () => {});
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
