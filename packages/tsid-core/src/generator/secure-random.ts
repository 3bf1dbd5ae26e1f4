import { checkField } from '../codec/id-range.js';

/** Fetched in advance, since a call to the source costs as much as thirty IDs. */
const drawn = new Uint32Array(128);
let nextDrawn = drawn.length;

/** Returns a whole number from 0 to below - 1, cryptographically random. `below` must be a power of two. */
export function secureRandom(below: number): number {
  if (nextDrawn === drawn.length) {
    globalThis.crypto.getRandomValues(drawn);
    nextDrawn = 0;
  }
  return (drawn[nextDrawn++] as number) % below;
}

/** Returns a start sequence in the lower half, so that at least half of a millisecond's IDs remain. */
export function randomStart(sequenceMax: number, random: (below: number) => number = secureRandom): number {
  const below = (sequenceMax + 1) / 2;
  const sequence = random(below);
  checkField('sequence', sequence, 0, below - 1);
  return sequence;
}
