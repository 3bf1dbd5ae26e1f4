/** Random numbers are drawn this many at a time: one call of the system's source costs more than a thousand IDs. */
const drawn = new Uint32Array(256);
let used = drawn.length;

/** A whole number of 0 … below - 1 from the system's cryptographic source; `below` must be a power of two. */
export function secureRandom(below: number): number {
  if (used === drawn.length) {
    globalThis.crypto.getRandomValues(drawn);
    used = 0;
  }
  return (drawn[used++] as number) % below;
}
