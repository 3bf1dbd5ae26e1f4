const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Under npm, Ctrl-C arrives twice within milliseconds; only a later signal forces the exit. */
const IMPATIENCE_MS = 1_000;

export interface StopSignalOptions {
  readonly stop: () => Promise<void>;
  /** After this time the process exits with 1, whatever is still open. */
  readonly timeoutMs: number;
}

/**
 * Shuts down once, on the first signal. Exits with 0 after a graceful shutdown, and with 1 after the timeout or on
 * another signal more than a second after the first. If npm exits, scripts/run.mjs stops the process.
 */
export function onStopSignal({ stop, timeoutMs }: StopSignalOptions): void {
  let askedAtMs: number | undefined;

  const ask = (): void => {
    if (askedAtMs !== undefined) {
      if (performance.now() - askedAtMs > IMPATIENCE_MS) process.exit(1);
      return;
    }
    askedAtMs = performance.now();
    setTimeout(() => {
      process.stderr.write(`Shutdown did not finish within ${timeoutMs} ms; exiting now.\n`);
      process.exit(1);
    }, timeoutMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };

  for (const signal of SIGNALS) process.on(signal, ask);
}
