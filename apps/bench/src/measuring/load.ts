import { Recorder, type RunRecord, type Told } from './recorder.js';
import { sharedNowMs, waitUntil } from './shared-clock.js';

/**
 * How requests are made, and from when their latency counts.
 *
 * - `closed`: a fixed number of callers, each asks again when it has its answer. Latency counts from the call. Shows
 *   capacity; a slow subject receives fewer requests, so its quantiles flatter it.
 * - `list`: a fixed list of requests, at most `inFlight` under way. With `inFlight` equal to the count it is a burst.
 * - `open`: requests arrive at a constant rate whatever the subject does, like users. Latency counts from the moment at
 *   which the request was *meant* to start: a stall of one second is seen by every request that arrived during it, and
 *   not only by the one that was under way (coordinated omission).
 */
export type Load =
  | { readonly kind: 'closed'; readonly inFlight: number; readonly durationMs: number }
  | { readonly kind: 'list'; readonly inFlight: number; readonly count: number }
  | { readonly kind: 'open'; readonly ratePerSecond: number; readonly durationMs: number };

/** One request of a run. */
interface Call {
  /** 0 … inFlight - 1; in an open load the number of the request. */
  readonly caller: number;
  /** 0, 1, 2 … over all callers of this worker. */
  readonly sequence: number;
}

export type Request = (call: Call) => Promise<Told>;

/** How long a call may stay unanswered after the load has ended before it is reported as failed. */
const UNANSWERED_AFTER_MS = 30_000;

/** The load was over for half a minute and the subject still had not answered. */
class UnansweredError extends Error {
  readonly code = 'UNANSWERED';

  constructor(readonly waitedMs: number) {
    super(`no answer within ${waitedMs} ms after the load had ended`);
    this.name = 'UnansweredError';
  }
}

/** Makes the requests of one worker, starting at `startMs` of the shared clock, and takes down what callers saw. */
export async function runLoad(load: Load, startMs: number, request: Request): Promise<RunRecord> {
  const deadlineMs = load.kind === 'list' ? Number.POSITIVE_INFINITY : startMs + load.durationMs;
  const recorder = new Recorder(startMs, deadlineMs);
  await waitUntil(startMs);
  if (load.kind === 'open') await openLoop(load, startMs, request, recorder);
  else await callers(load, deadlineMs, request, recorder);
  return recorder.record();
}

async function callers(
  load: Exclude<Load, { kind: 'open' }>,
  deadlineMs: number,
  request: Request,
  recorder: Recorder,
): Promise<void> {
  let next = 0;
  const countMax = load.kind === 'list' ? load.count : Number.POSITIVE_INFINITY;
  const caller = async (index: number): Promise<void> => {
    for (let nowMs = sharedNowMs(); next < countMax && nowMs < deadlineMs; nowMs = sharedNowMs()) {
      const sequence = next;
      next += 1;
      await recorded(request, { caller: index, sequence }, nowMs, recorder);
    }
  };
  const inFlight = Math.min(load.inFlight, countMax);
  await settled(
    Array.from({ length: inFlight }, (_, index) => caller(index)),
    deadlineMs,
    recorder,
  );
}

async function openLoop(
  load: Extract<Load, { kind: 'open' }>,
  startMs: number,
  request: Request,
  recorder: Recorder,
): Promise<void> {
  const count = Math.max(1, Math.round((load.ratePerSecond * load.durationMs) / 1000));
  const intervalMs = load.durationMs / count;
  const underWay: Promise<void>[] = [];
  for (let sequence = 0; sequence < count; sequence += 1) {
    const intendedMs = startMs + sequence * intervalMs;
    const aheadMs = intendedMs - sharedNowMs();
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(aheadMs)));
    underWay.push(recorded(request, { caller: sequence, sequence }, intendedMs, recorder));
  }
  await settled(underWay, startMs + load.durationMs, recorder);
}

function recorded(request: Request, call: Call, sinceMs: number, recorder: Recorder): Promise<void> {
  return request(call).then(
    (told) => recorder.answered(told, sinceMs, sharedNowMs()),
    (error: unknown) => recorder.failed(error, sinceMs, sharedNowMs()),
  );
}

/** Waits for what is under way, with a bound: a subject that never answers must not hang the bench. */
async function settled(
  work: readonly Promise<void>[],
  deadlineMs: number,
  recorder: Recorder,
): Promise<void> {
  let unfinished = work.length;
  const watched = work.map((one) =>
    one.then(() => {
      unfinished -= 1;
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const loadMs = Number.isFinite(deadlineMs) ? Math.max(0, deadlineMs - sharedNowMs()) : 60_000;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, loadMs + UNANSWERED_AFTER_MS);
  });
  const sinceMs = sharedNowMs();
  await Promise.race([Promise.all(watched), overdue]);
  clearTimeout(timer);
  for (; unfinished > 0; unfinished -= 1) {
    recorder.failed(new UnansweredError(UNANSWERED_AFTER_MS), sinceMs, sharedNowMs());
  }
}
