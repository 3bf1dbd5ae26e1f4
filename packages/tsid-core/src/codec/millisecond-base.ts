import type { TsidLayout } from './layout.js';

/*
 * The ID for a millisecond, a node and sequence 0, as two 32-bit halves. Works for every width: node and sequence have
 * at most 32 bits, so they fit in the lower half, and the time is split where the lower half is full. Numbers stay
 * below 2^53, where division and remainder are exact.
 */

/** The upper half, as a signed 32-bit number. */
export function baseHigh(layout: TsidLayout, elapsedMs: number): number {
  return Math.floor(elapsedMs / (4_294_967_296 / idsPerMs(layout))) | 0;
}

/** The lower half with all sequence bits 0, as a signed 32-bit number. */
export function baseLow(layout: TsidLayout, elapsedMs: number, node: number): number {
  const perMs = idsPerMs(layout);
  return ((elapsedMs % (4_294_967_296 / perMs)) * perMs + node * (layout.sequenceMax + 1)) | 0;
}

/** IDs per millisecond across all nodes: 2^(nodeBits + sequenceBits). */
export function idsPerMs(layout: TsidLayout): number {
  return (layout.nodeMax + 1) * (layout.sequenceMax + 1);
}
