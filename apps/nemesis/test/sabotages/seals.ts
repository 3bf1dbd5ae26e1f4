import { caught, defined } from './sabotage.js';

export const SEAL_SABOTAGES = {
  sealMissing: caught('a broken chain', (draft) => void draft.seals.shift()),
  chainForked: caught('a broken chain', (draft) => {
    const sealed = new Set(draft.seals.map(({ counter }) => counter));
    const { counter, sequence } = defined(draft.ledger.find((row) => !sealed.has(row.counter)));
    draft.seals.push({ ...defined(draft.seals.at(-1)), counter, sequence, seal: 'the other branch' });
  }),
  numberSealedTwice: caught('a number sealed twice', (draft) => {
    const last = defined(draft.seals.at(-1));
    draft.seals.push({ ...last, position: last.position + 1, previous: last.seal, seal: 'again' });
  }),
  sealsSwapped: caught('seals out of order', ({ seals }) => {
    const [first, second] = [defined(seals[0]), defined(seals[1])];
    [first.sequence, second.sequence] = [second.sequence, first.sequence];
  }),
  sealOfNoNumber: caught(
    'a seal without its number',
    ({ seals }) => void Object.assign(defined(seals.at(-1)), { sequence: 999 }),
  ),
};
