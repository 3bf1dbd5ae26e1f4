import { caught, defined } from './sabotage.js';

export const FACT_SABOTAGES = {
  factDropped: caught('a fact that no reader received', ({ streams }) => void streams.facts.splice(3, 1)),
  laterFactDropped: caught('a fact that no reader received', ({ streams }) => {
    streams.facts.splice(
      streams.facts.findIndex(({ kind }) => kind === 'CONFIRMED'),
      1,
    );
  }),
  factTwice: caught(
    'a fact received twice',
    ({ streams }) => void streams.facts.push(defined(streams.facts[3])),
  ),
  factsSwapped: caught('facts out of order', ({ streams }) => {
    const [one, other] = streams.facts.splice(3, 2);
    streams.facts.splice(3, 0, defined(other), defined(one));
  }),
};
