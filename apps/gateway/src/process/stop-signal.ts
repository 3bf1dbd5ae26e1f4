const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C under npm arrives twice within milliseconds; only a later one is impatience. */
const IMPATIENCE_MS = 1_000;

export interface StopSignalOptions {
  readonly stop: () => Promise<void>;
  /** After this the process ends with 1, whatever is still open. */
  readonly timeoutMs: number;
}

/**
 * Stops once, at the first signal. Ends with 0 after a stop in good order; with 1 when it took too long or when a second
 * signal comes later than a second after the first. The shell that started it may go: whoever runs under npm is stopped by
 * scripts/run.mjs when npm is gone.
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
      process.stderr.write(`Not stopped within ${timeoutMs} ms; ending now.\n`);
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
