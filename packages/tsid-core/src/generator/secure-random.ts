import { checkField } from '../codec/id-range.js';

/** A whole number of 0 … below - 1 from the system's cryptographic source; `below` must be a power of two. */
export function secureRandom(below: number): number {
  const [drawn = 0] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  return drawn % below;
}

/** A sequence to start a millisecond with, in the lower half, so that at least as many are left. */
export function randomStart(sequenceMax: number, random: (below: number) => number = secureRandom): number {
  const below = (sequenceMax + 1) / 2;
  const sequence = random(below);
  checkField('sequence', sequence, 0, below - 1);
  return sequence;
}
