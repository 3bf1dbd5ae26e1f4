/** A child process that runs a TypeScript file and speaks JSON, one value a line, on its standard input and output. */
export interface TypeScriptChild extends AsyncDisposable {
  readonly pid: number;
  /** Every JSON line so far. Other output of the child goes to this process's standard error. */
  readonly lines: readonly unknown[];
  /** The next JSON line that was not taken yet. Rejects when the child ends first, or after `timeoutMs` (default 10,000). */
  nextLine(timeoutMs?: number): Promise<unknown>;
  /** Writes one JSON line to the child. */
  send(value: unknown): void;
  /** SIGSTOP */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Resolves when the child has ended, by itself or not. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}
