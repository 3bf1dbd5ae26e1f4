import { checkField } from '../codec/id-range.js';

/** Drawn ahead, since a call to the source costs as much as thirty IDs. */
const drawn = new Uint32Array(128);
let nextDrawn = drawn.length;

/** A whole number of 0 … below - 1 from the system's cryptographic source; `below` must be a power of two. */
export function secureRandom(below: number): number {
  if (nextDrawn === drawn.length) {
    globalThis.crypto.getRandomValues(drawn);
    nextDrawn = 0;
  }
  return (drawn[nextDrawn++] as number) % below;
}

/** A sequence to start a millisecond with, in the lower half, so that at least as many are left. */
export function randomStart(sequenceMax: number, random: (below: number) => number = secureRandom): number {
  const below = (sequenceMax + 1) / 2;
  const sequence = random(below);
  checkField('sequence', sequence, 0, below - 1);
  return sequence;
}
