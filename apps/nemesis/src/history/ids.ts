import { findDuplicates } from '@solegate/testkit';
import { answered, grouped } from './history.js';
import { rule } from './rule.js';

export const ID_RULES = {
  'a duplicate ID': rule('No two processes ever mint the same ID.', function* (history) {
    const clash = findDuplicates(answered(history, 'ids').flatMap(({ answer }) => answer));
    if (clash !== undefined) yield clash.later;
  }),

  /** A process minted on a node, then another one did, then the first one again, all within a moment. */
  'a node of two processes': rule('A node ID belongs to one process at a time.', function* (history) {
    const mints = answered(history, 'ids').flatMap(({ gateway, answer: [first] }) => {
      if (first === undefined) return [];
      const id = BigInt(first);
      const node = (id & ((1n << NODE_AND_SEQUENCE_BITS) - 1n)) >> SEQUENCE_BITS;
      return [{ gateway, node, atMs: id >> NODE_AND_SEQUENCE_BITS }];
    });
    for (const [node, uses] of grouped(mints, (mint) => mint.node)) {
      uses.sort((one, other) => Number(one.atMs - other.atMs));
      for (const [index, use] of uses.entries()) {
        const others = uses.slice(index + 1).filter(({ atMs }) => atMs - use.atMs < AGAIN_AFTER_MS);
        const change = others.findIndex(({ gateway }) => gateway !== use.gateway);
        const isBack = change >= 0 && others.slice(change).some(({ gateway }) => gateway === use.gateway);
        if (isBack) {
          yield `node ${node} at ${use.atMs}: gateway ${use.gateway}, then ${others[change]?.gateway}, then ${use.gateway}`;
          break;
        }
      }
    }
  }),

  'IDs out of order': rule('The IDs of one answer ascend.', function* (history) {
    for (const { answer } of answered(history, 'ids')) {
      let last = 0n;
      for (const id of answer) {
        const value = BigInt(id);
        if (value < last) yield `${id} after ${last}`;
        last = value;
      }
    }
  }),

  'missing IDs': rule('A call for n IDs returns n IDs.', function* (history) {
    for (const { answer, count } of answered(history, 'ids')) {
      if (answer.length !== count) yield `${answer.length} IDs of ${count}`;
    }
  }),
};

/** Bits of the sequence, and of the sequence and the node, in an ID. */
const SEQUENCE_BITS = 12n;
const NODE_AND_SEQUENCE_BITS = 22n;
/** A process that lost its node, or gave it back, does not have it again within this time, in milliseconds. */
const AGAIN_AFTER_MS = 1000n;
