import { createTsidGenerator, TSID_41_10_13, TSID_42_10_12 } from '@solegate/tsid-core';

const LAYOUTS = { '42/10/12': TSID_42_10_12, '41/10/13': TSID_41_10_13 };

/** The result of minting for a period of real time. */
export interface HeldCeiling {
  readonly idCount: number;
  readonly elapsedMs: number;
  /** Share of all IDs that the layout allows one node in that time, 0 to 1. */
  readonly share: number;
  /** Processor time of the process over elapsed time; below 1 if other programs took processor time. */
  readonly processorShare: number;
  /** The first ID that was not greater than the one before it, as decimal text. */
  readonly orderBreak: string | undefined;
}

/** Small against a millisecond's worth, so that waiting for the next millisecond is part of the batch. */
const CHUNK = 1024;

/** Mints as fast as the layout allows for `durationMs`, and checks that every ID is greater than the one before. */
export function holdCeiling(layout: keyof typeof LAYOUTS, durationMs: number): HeldCeiling {
  const generator = createTsidGenerator({ node: 1, layout: LAYOUTS[layout] });
  const chunk = new BigUint64Array(CHUNK);
  const words = new Uint32Array(chunk.buffer);
  let idCount = 0;
  let orderBreak: string | undefined;
  let high = -1;
  let low = -1;
  generator.fill(chunk);
  const processorBefore = process.cpuUsage();
  const startedMs = performance.now();
  const untilMs = startedMs + durationMs;
  while (performance.now() < untilMs) {
    generator.fill(chunk);
    for (let word = 0; word < words.length; word += 2) {
      const nextLow = words[word] ?? 0;
      const nextHigh = words[word + 1] ?? 0;
      const grows = nextHigh > high || (nextHigh === high && nextLow > low);
      if (!grows) orderBreak ??= String(chunk[word / 2]);
      high = nextHigh;
      low = nextLow;
    }
    idCount += CHUNK;
  }
  const elapsedMs = performance.now() - startedMs;
  const ceiling = elapsedMs * (generator.layout.sequenceMax + 1);
  const processor = process.cpuUsage(processorBefore);
  const processorShare = (processor.user + processor.system) / 1000 / elapsedMs;
  return { idCount, elapsedMs, share: idCount / ceiling, processorShare, orderBreak };
}
