import type { Call } from '../../measuring/load.js';
import type { Answer } from '../../measuring/recorder.js';
import { type RandomSource, seededRandom } from '../../measuring/seeded-random.js';
import type { Subject, SubjectSetup } from '../../workers/subject.js';

/** One run, as every numbering subject sees it. */
export interface NumbersRun {
  readonly run: number;
  /** 1: one hot counter; more: requests are spread evenly. */
  readonly counterCount: number;
}

/** The answer to a caller: a number of one counter. */
export interface NumberAnswer extends Answer {
  readonly kind: 'issued';
  readonly counter: string;
  readonly sequence: number;
}

function numbersRun(facts: Readonly<Record<string, string | number>>): NumbersRun {
  return { run: Number(facts.run), counterCount: Number(facts.counterCount) };
}

/** The database of a subject that reaches it through the PgBouncer of the run. */
export function poolerUrl({ facts }: SubjectSetup): string {
  return String(facts.poolerUrl);
}

/** The counter's code, used as the discipline of a document: `R12C7`. New in every run. */
export function counterCode(run: number, index: number): string {
  return `R${run}C${index}`;
}

/** Picks the counter of a request: each counter once, so that all are in use, then any. */
function pickCounter({ run, counterCount }: NumbersRun, { sequence }: Call, random: RandomSource): string {
  return counterCode(run, sequence < counterCount ? sequence : Math.floor(random() * counterCount));
}

export function issued(counter: string, sequence: number): NumberAnswer {
  return { kind: 'issued', counter, sequence };
}

/** A way of numbering: returns the next number of a counter, and can be closed. */
interface Drawing {
  next(code: string, call: Call): Promise<number>;
  close(): Promise<void>;
}

/** A subject whose callers each request the next number of a counter of the run. */
export function numberingSubject(setup: SubjectSetup, { next, close }: Drawing) {
  const random = seededRandom(setup.seed + setup.worker);
  let run: NumbersRun = { run: 0, counterCount: 1 };
  return {
    prepare: async (_round, facts) => {
      run = numbersRun(facts);
    },
    request: async (call) => {
      const code = pickCounter(run, call, random);
      return issued(code, await next(code, call));
    },
    close,
  } satisfies Subject;
}
