import { Dice } from '@solegate/testkit';
import type { Call } from '../../measuring/load.js';
import type { Answer } from '../../measuring/recorder.js';
import type { Facts, Subject, SubjectSetup } from '../../workers/subject.js';

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

function numbersRun(facts: Facts): NumbersRun {
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
function pickCounter({ run, counterCount }: NumbersRun, { sequence }: Call, dice: Dice): string {
  return counterCode(run, sequence < counterCount ? sequence : dice.between(0, counterCount - 1));
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
  const dice = new Dice(setup.seed + setup.worker);
  let run: NumbersRun = { run: 0, counterCount: 1 };
  return {
    prepare: async (_round, facts) => {
      run = numbersRun(facts);
    },
    request: async (call) => {
      const code = pickCounter(run, call, dice);
      return issued(code, await next(code, call));
    },
    close,
  } satisfies Subject;
}
