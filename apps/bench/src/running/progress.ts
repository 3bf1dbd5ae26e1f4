import { Presets, SingleBar } from 'cli-progress';

/** Receives the progress of a scenario. */
export interface Progress {
  /** Begins an experiment with this many steps. */
  begin(title: string, stepCount: number): void;
  step(text: string): void;
  end(): void;
}

/** Shows a bar on a terminal, or one line per experiment if output goes to a file or a CI log. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? new BarProgress(output) : new LineProgress(output);
}

class BarProgress implements Progress {
  #bar: SingleBar | undefined;

  constructor(private readonly output: NodeJS.WriteStream) {}

  begin(title: string, stepCount: number): void {
    this.end();
    const width = Math.max(20, (this.output.columns ?? 80) - 60);
    this.#bar = new SingleBar(
      {
        stream: this.output,
        format: `  ${title.slice(0, 40).padEnd(40)} {bar} {value}/{total} {text}`,
        barsize: Math.min(24, width),
        hideCursor: true,
        clearOnComplete: true,
        barCompleteChar: '█',
        barIncompleteChar: '░',
      },
      Presets.shades_classic,
    );
    this.#bar.start(stepCount, 0, { text: '' });
  }

  step(text: string): void {
    this.#bar?.increment(1, { text: text.slice(0, 30) });
  }

  end(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}

class LineProgress implements Progress {
  #startedMs = 0;
  #title = '';

  constructor(private readonly output: NodeJS.WriteStream) {}

  begin(title: string): void {
    this.end();
    this.#title = title;
    this.#startedMs = performance.now();
  }

  step(): void {
    // A log line for every repeat would bury the rest; the experiment's own line at its end is enough.
  }

  end(): void {
    if (this.#title === '') return;
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(1);
    this.output.write(`  ${this.#title} (${seconds} s)\n`);
    this.#title = '';
  }
}
