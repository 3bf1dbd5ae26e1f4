import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Floors } from './result.js';
import { median } from './statistics.js';

const SAMPLE_COUNT = 500;

/** Measures lower bounds that no code can beat on this machine, to show how much room for improvement is left. */
export async function measureFloors(stores?: {
  readonly redisUrl: string;
  /** On the disk that PostgreSQL writes to. */
  readonly folder: string;
}): Promise<Floors> {
  const emptyAsyncCall = { emptyAsyncCallNs: await emptyAsyncCallNs() };
  if (stores === undefined) return emptyAsyncCall;
  return {
    ...emptyAsyncCall,
    redisRoundTripMs: await redisRoundTripMs(stores.redisUrl),
    walFlushMs: walFlushMs(stores.folder),
  };
}

async function redisRoundTripMs(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    const samples: number[] = [];
    for (let sample = 0; sample < SAMPLE_COUNT; sample += 1) {
      const startedMs = performance.now();
      await redis.ping();
      samples.push(performance.now() - startedMs);
    }
    return median(samples);
  } finally {
    redis.disconnect();
  }
}

/** Time to write and flush a page to PostgreSQL's disk: the cost of one commit. */
function walFlushMs(folder: string): number {
  const file = join(folder, `flush-floor-${process.pid}`);
  const descriptor = openSync(file, 'w');
  try {
    const page = Buffer.alloc(8192);
    const samples = Array.from({ length: SAMPLE_COUNT / 5 }, (_, sample) => {
      const startedMs = performance.now();
      writeSync(descriptor, page, 0, page.length, (sample % 64) * page.length);
      fdatasyncSync(descriptor);
      return performance.now() - startedMs;
    });
    return median(samples);
  } finally {
    closeSync(descriptor);
    unlinkSync(file);
  }
}

/** Time of an awaited call that does nothing: the overhead of the measuring loop. */
async function emptyAsyncCallNs(): Promise<number> {
  const calls = 200_000;
  const nothing = async (): Promise<void> => undefined;
  const startedMs = performance.now();
  for (let call = 0; call < calls; call += 1) await nothing();
  return ((performance.now() - startedMs) * 1e6) / calls;
}
