import { SolegateError } from '@solegate/client';
import type { Call, Ending } from '../history/history.js';

/** A call without its ending, which the recorder adds. */
type Question = Call extends infer Each
  ? Each extends Call
    ? Omit<Each, 'tookMs' | 'ending'>
    : never
  : never;

/** Records every call with its ending, in the order in which they end. */
export class Recorder {
  readonly calls: Call[] = [];

  async record<Answer>(question: Question, call: () => Promise<Answer>): Promise<Ending<Answer>> {
    const startMs = performance.now();
    const ending = await endingOf(call);
    this.calls.push({ ...question, tookMs: performance.now() - startMs, ending } as Call);
    return ending;
  }
}

async function endingOf<Answer>(call: () => Promise<Answer>): Promise<Ending<Answer>> {
  try {
    return { kind: 'answered', answer: await call() };
  } catch (error) {
    if (!(error instanceof SolegateError)) throw error;
    return { kind: 'failed', code: error.code, outcomeUnknown: error.outcomeUnknown };
  }
}
