import { defined, type Falsification } from './sabotage.js';

export const SEAL_SABOTAGES = {
  sealMissing: {
    caughtBy: 'a broken chain',
    falsify: (draft) => void draft.seals.shift(),
  },
  chainForked: {
    caughtBy: 'a broken chain',
    falsify(draft) {
      const sealed = new Set(draft.seals.map(({ counter }) => counter));
      const { counter, sequence } = defined(draft.ledger.find((row) => !sealed.has(row.counter)));
      draft.seals.push({ ...defined(draft.seals.at(-1)), counter, sequence, seal: 'the other branch' });
    },
  },
  numberSealedTwice: {
    caughtBy: 'a number sealed twice',
    falsify(draft) {
      const last = defined(draft.seals.at(-1));
      draft.seals.push({ ...last, position: last.position + 1, previous: last.seal, seal: 'again' });
    },
  },
  sealsSwapped: {
    caughtBy: 'seals out of order',
    falsify({ seals }) {
      const [first, second] = [defined(seals[0]), defined(seals[1])];
      [first.sequence, second.sequence] = [second.sequence, first.sequence];
    },
  },
  sealOfNoNumber: {
    caughtBy: 'a seal without its number',
    falsify: ({ seals }) => void Object.assign(defined(seals.at(-1)), { sequence: 999 }),
  },
} satisfies Readonly<Record<string, Falsification>>;
