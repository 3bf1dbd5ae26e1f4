import { SolegateError } from '@solegate/client';
import type { Asked, Call, Ending, Questions } from '../history/history.js';

/** An outcome that is a refusal, such as `NumbersExhausted`. */
export class RefusedOutcome extends Error {
  constructor(readonly outcome: string) {
    super(outcome);
    this.name = 'RefusedOutcome';
  }
}

/** Records every call with its ending, in the order in which they end. */
export class Recorder {
  readonly calls: Call[] = [];

  async record<Kind extends Asked>(
    asked: Kind,
    asks: Questions[Kind]['asks'],
    call: () => Promise<Questions[Kind]['answer']>,
  ): Promise<Ending<Questions[Kind]['answer']>> {
    const atMs = performance.now();
    const ending = await endingOf(call);
    this.calls.push({ ...asks, asked, atMs, tookMs: performance.now() - atMs, ending } as unknown as Call);
    return ending;
  }
}

async function endingOf<Answer>(call: () => Promise<Answer>): Promise<Ending<Answer>> {
  try {
    return { kind: 'answered', answer: await call() };
  } catch (error) {
    if (error instanceof RefusedOutcome)
      return { kind: 'failed', code: error.outcome, outcomeUnknown: false };
    if (!(error instanceof SolegateError)) throw error;
    return { kind: 'failed', code: error.code, outcomeUnknown: error.outcomeUnknown };
  }
}
