import { grouped, type StoredSeal } from './history.js';
import { rule } from './rule.js';

export const SEAL_RULES = {
  'a broken chain': rule(
    'Each seal of a chain follows the one before: no fork, and none is missing.',
    function* ({ seals }) {
      for (const [chain, links] of grouped(seals, (seal) => seal.chain)) {
        let before = { position: 0, seal: '' };
        for (const link of inOrder(links)) {
          if (link.position !== before.position + 1 || link.previous !== before.seal) {
            yield `${chain}: ${link.position} after ${before.position}`;
          }
          before = link;
        }
      }
    },
  ),

  'a number sealed twice': rule('A number has one seal.', function* ({ seals }) {
    for (const [place, all] of grouped(seals, placeOf)) {
      if (all.length > 1)
        yield `${place}: ${all.map(({ chain, position }) => `${chain} ${position}`).join(', ')}`;
    }
  }),

  'seals out of order': rule('The numbers of a counter are sealed in their order.', function* ({ seals }) {
    for (const [, own] of grouped(seals, ({ chain, counter }) => `${chain} ${counter}`)) {
      let last = 0;
      for (const seal of inOrder(own)) {
        if (seal.sequence < last) yield `${placeOf(seal)} is sealed after ${last}`;
        last = seal.sequence;
      }
    }
  }),

  'a seal without its number': rule('A seal is committed with its number.', function* ({ seals, ledger }) {
    const stored = new Set(ledger.map(placeOf));
    for (const seal of seals)
      if (!stored.has(placeOf(seal))) yield `${seal.chain} ${seal.position}: ${placeOf(seal)}`;
  }),
};

const placeOf = ({ counter, sequence }: Pick<StoredSeal, 'counter' | 'sequence'>): string =>
  `${counter}/${sequence}`;

function inOrder(seals: readonly StoredSeal[]): StoredSeal[] {
  return seals.toSorted((one, other) => one.position - other.position);
}
