import { defined, type Falsification } from './sabotage.js';

export const FACT_SABOTAGES = {
  factDropped: {
    caughtBy: 'a fact that no reader received',
    falsify: ({ streams }) => void streams.facts.splice(3, 1),
  },
  laterFactDropped: {
    caughtBy: 'a fact that no reader received',
    falsify({ streams }) {
      streams.facts.splice(
        streams.facts.findIndex(({ kind }) => kind === 'CONFIRMED'),
        1,
      );
    },
  },
  factTwice: {
    caughtBy: 'a fact received twice',
    falsify: ({ streams }) => void streams.facts.push(defined(streams.facts[3])),
  },
  factsSwapped: {
    caughtBy: 'facts out of order',
    falsify({ streams }) {
      const [one, other] = streams.facts.splice(3, 2);
      streams.facts.splice(3, 0, defined(other), defined(one));
    },
  },
} satisfies Readonly<Record<string, Falsification>>;
