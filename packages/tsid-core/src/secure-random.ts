/** A whole number of 0 … below - 1 from the system's cryptographic source; `below` must be a power of two. */
export function secureRandom(below: number): number {
  const [drawn = 0] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  return drawn % below;
}
