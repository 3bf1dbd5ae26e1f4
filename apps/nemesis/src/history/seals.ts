import { grouped, type History, type StoredSeal } from './history.js';
import type { Rules } from './rule.js';

export const SEAL_RULES = {
  'a broken chain': {
    promise: 'Each seal of a chain follows the one before: no fork, and none is missing.',
    find: brokenChains,
  },
  'a number sealed twice': { promise: 'A number has one seal.', find: doubleSeals },
  'seals out of order': {
    promise: 'The numbers of a counter are sealed in their order.',
    find: fallingSeals,
  },
  'a seal without its number': { promise: 'A seal is committed with its number.', find: sealsAlone },
} satisfies Rules;

const placeOf = ({ counter, sequence }: Pick<StoredSeal, 'counter' | 'sequence'>): string =>
  `${counter}/${sequence}`;

function inOrder(seals: readonly StoredSeal[]): StoredSeal[] {
  return seals.toSorted((one, other) => one.position - other.position);
}

function* brokenChains({ seals }: History): Iterable<string> {
  for (const [chain, links] of grouped(seals, (seal) => seal.chain)) {
    let before = { position: 0, seal: '' };
    for (const link of inOrder(links)) {
      if (link.position !== before.position + 1 || link.previous !== before.seal) {
        yield `${chain}: ${link.position} after ${before.position}`;
      }
      before = link;
    }
  }
}

function* doubleSeals({ seals }: History): Iterable<string> {
  for (const [place, all] of grouped(seals, placeOf)) {
    if (all.length > 1)
      yield `${place}: ${all.map(({ chain, position }) => `${chain} ${position}`).join(', ')}`;
  }
}

function* fallingSeals({ seals }: History): Iterable<string> {
  for (const [, own] of grouped(seals, ({ chain, counter }) => `${chain} ${counter}`)) {
    let last = 0;
    for (const seal of inOrder(own)) {
      if (seal.sequence < last) yield `${placeOf(seal)} is sealed after ${last}`;
      last = seal.sequence;
    }
  }
}

function* sealsAlone({ seals, ledger }: History): Iterable<string> {
  const stored = new Set(ledger.map(placeOf));
  for (const seal of seals)
    if (!stored.has(placeOf(seal))) yield `${seal.chain} ${seal.position}: ${placeOf(seal)}`;
}
