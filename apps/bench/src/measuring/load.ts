import { type Answer, Recorder } from './recorder.js';
import { sharedNowMs, waitUntil } from './shared-clock.js';

/**
 * How requests are made, and from when their latency counts.
 *
 * - `closed`: a fixed number of callers; each sends its next request after a response. Latency counts from the call.
 *   Shows capacity; a slow subject receives fewer requests, so its quantiles flatter it.
 * - `list`: a fixed list of requests, at most `inFlight` concurrently. A burst if `inFlight` equals the count.
 * - `open`: requests arrive at a constant rate whatever the subject does, like users. Latency counts from the moment at
 *   which the request was *meant* to start: a stall of one second shows in every request that arrived during it, not
 *   only in the one in progress (coordinated omission).
 */
export type Load =
  | { readonly kind: 'closed'; readonly inFlight: number; readonly durationMs: number }
  | { readonly kind: 'list'; readonly inFlight: number; readonly count: number }
  | { readonly kind: 'open'; readonly ratePerSecond: number; readonly durationMs: number };

/** One request of a run. */
export interface Call {
  /** 0 … inFlight - 1; in an open load the number of the request. */
  readonly caller: number;
  /** 0, 1, 2 … over all callers of this worker. */
  readonly sequence: number;
}

export type Request = (call: Call) => Promise<Answer>;

/** How long after the end of the load an unanswered call is reported as failed. */
const UNANSWERED_AFTER_MS = 30_000;

/** The time limit of a list, which has no duration. */
const LIST_MAX_MS = 60_000;

/** Sends the requests of one worker from `startMs` of the shared clock on, and records what callers saw. */
export async function runLoad(load: Load, startMs: number, request: Request): Promise<Recorder> {
  const deadlineMs = load.kind === 'list' ? Number.POSITIVE_INFINITY : startMs + load.durationMs;
  const recorder = new Recorder(startMs, deadlineMs);
  const underWay = new UnderWay();
  await waitUntil(startMs);
  if (load.kind === 'open') await arrive(load, startMs, { request, recorder, underWay });
  else startCallers(load, deadlineMs, { request, recorder, underWay });
  const endsMs = Number.isFinite(deadlineMs) ? deadlineMs : sharedNowMs() + LIST_MAX_MS;
  const unanswered = await underWay.leftAt(endsMs + UNANSWERED_AFTER_MS);
  const why = new Error(`no answer within ${UNANSWERED_AFTER_MS} ms after the load had ended`);
  const error = Object.assign(why, { code: 'UNANSWERED' });
  for (let call = 0; call < unanswered; call += 1) recorder.failed(error, sharedNowMs());
  return recorder;
}

interface Run {
  readonly request: Request;
  readonly recorder: Recorder;
  readonly underWay: UnderWay;
}

/** Uses callbacks rather than promises, whose overhead would dominate between a thousand answers of one burst. */
function startCallers(
  load: Exclude<Load, { kind: 'open' }>,
  deadlineMs: number,
  { request, recorder, underWay }: Run,
): void {
  let sequence = 0;
  const countMax = load.kind === 'list' ? load.count : Number.POSITIVE_INFINITY;
  const ask = (caller: number, sinceMs: number): void => {
    if (sequence >= countMax || sinceMs >= deadlineMs) {
      underWay.ended();
      return;
    }
    const call = { caller, sequence };
    sequence += 1;
    request(call).then(
      (answer) => {
        const nowMs = sharedNowMs();
        recorder.answered(answer, sinceMs, nowMs);
        ask(caller, nowMs);
      },
      (error: unknown) => {
        const nowMs = sharedNowMs();
        recorder.failed(error, nowMs);
        ask(caller, nowMs);
      },
    );
  };
  const inFlight = Math.min(load.inFlight, countMax);
  for (let caller = 0; caller < inFlight; caller += 1) {
    underWay.began();
    ask(caller, sharedNowMs());
  }
}

/** Resolves when the last request has been sent. */
async function arrive(
  load: Extract<Load, { kind: 'open' }>,
  startMs: number,
  { request, recorder, underWay }: Run,
): Promise<void> {
  const count = Math.max(1, Math.round((load.ratePerSecond * load.durationMs) / 1000));
  const intervalMs = load.durationMs / count;
  for (let sequence = 0; sequence < count; sequence += 1) {
    const intendedMs = startMs + sequence * intervalMs;
    const aheadMs = intendedMs - sharedNowMs();
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(aheadMs)));
    underWay.began();
    void request({ caller: sequence, sequence })
      .then(
        (answer) => recorder.answered(answer, intendedMs, sharedNowMs()),
        (error: unknown) => recorder.failed(error, sharedNowMs()),
      )
      .then(() => underWay.ended());
  }
}

/** Tracks callers or calls that have not ended. */
class UnderWay {
  #count = 0;
  #whenNone: (() => void) | undefined;

  began(): void {
    this.#count += 1;
  }

  ended(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenNone?.();
  }

  /** How many are left at `momentMs` of the shared clock; 0 once all have ended. No subject can hang the bench. */
  async leftAt(momentMs: number): Promise<number> {
    if (this.#count > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, momentMs - sharedNowMs()));
        this.#whenNone = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#count;
  }
}
