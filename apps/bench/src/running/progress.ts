import { Presets, SingleBar } from 'cli-progress';

/** Receives the progress of a scenario. */
export interface Progress {
  /** Begins an experiment with this many steps. */
  begin(title: string, stepCount: number): void;
  step(text: string): void;
  end(): void;
}

/** A line for each experiment that has ended and, on a terminal, a bar for the one that runs. */
export function createProgress(output: NodeJS.WriteStream): Progress {
  let end = (): void => undefined;
  let bar: SingleBar | undefined;
  return {
    begin: (title, stepCount) => {
      end();
      const startedMs = performance.now();
      // Without a terminal it prints nothing.
      bar = new SingleBar(
        {
          stream: output,
          format: `  ${title.slice(0, 40).padEnd(40)} {bar} {value}/{total} {text}`,
          barsize: Math.min(24, Math.max(20, (output.columns ?? 80) - 60)),
          hideCursor: true,
          clearOnComplete: true,
        },
        Presets.shades_classic,
      );
      bar.start(stepCount, 0, { text: '' });
      end = () => {
        bar?.stop();
        output.write(`  ${title} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`);
        end = () => undefined;
      };
    },
    step: (text) => bar?.increment(1, { text: text.slice(0, 30) }),
    end: () => end(),
  };
}
