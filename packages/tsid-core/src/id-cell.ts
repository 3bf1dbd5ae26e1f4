/*
 * BigInt arithmetic is what makes ID generators slow in JavaScript: every shift and OR makes a new object. An ID is
 * therefore computed as two 32-bit halves, and one 64-bit cell that is seen through both views turns them into a
 * bigint (or back) without arithmetic. The cell is scratch: written and read again within one synchronous call.
 */
const cell = new BigUint64Array(1);
const halves = new Uint32Array(cell.buffer);

/** Index of the less significant half within 64 bits on this machine; the other one is 1 - LOW. */
export const LOW = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** The bigint of two halves; both may be given as signed or unsigned 32-bit numbers. */
export function joinHalves(high: number, low: number): bigint {
  halves[HIGH] = high;
  halves[LOW] = low;
  return cell[0] as bigint;
}

/** Puts a bigint into the cell, for lowHalf() and highHalf(). False if it is not an unsigned 64-bit number. */
export function splitHalves(id: bigint): boolean {
  cell[0] = id;
  return cell[0] === id;
}

/** The less significant 32 bits of the cell, unsigned. */
export function lowHalf(): number {
  return halves[LOW] as number;
}

/** The more significant 32 bits of the cell, unsigned. */
export function highHalf(): number {
  return halves[HIGH] as number;
}
