import type { SeriesCodes } from '../../parts/series-choice.js';
import { granted, wordsOf } from '../../session/failure.js';
import type { GatewayClient } from '../../session/gateway-client.js';

/** Most requests first wait for one of the browser's six connections, which takes long on an overloaded machine. */
const ANSWER_WITHIN_MS = 60_000;

export interface LoadAnswer {
  /** Position in the order of sending, from 0. */
  readonly request: number;
  /** The issued number; absent if the request was refused. */
  readonly issued?: {
    readonly number: string;
    readonly projectCode: string;
    readonly sequence: number;
  };
  readonly refusal?: string;
}

export interface LoadProof {
  readonly requestCount: number;
  readonly answers: readonly LoadAnswer[];
  /** The lowest and the highest sequence. */
  readonly first: number;
  readonly last: number;
  readonly distinctCount: number;
  /** Sequences issued more than once. */
  readonly twice: ReadonlySet<number>;
  /** Sequences between the first and the last that this page did not receive. */
  readonly missing: readonly number[];
  readonly refusedCount: number;
}

/**
 * Measures each API request from the first byte sent to the last byte read, in milliseconds, by the browser's resource
 * timing. The wait for one of the browser's six connections is not included.
 */
class WireClock {
  readonly #startedAt = performance.now();

  constructor(requestCount: number) {
    performance.clearResourceTimings();
    performance.setResourceTimingBufferSize(requestCount * 4);
  }

  read(): readonly number[] {
    return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(
        ({ name, startTime, requestStart }) =>
          name.endsWith('/graphql') && startTime >= this.#startedAt && requestStart > 0,
      )
      .map(({ requestStart, responseEnd }) => responseEnd - requestStart);
  }
}

/**
 * Sends `requestCount` simultaneous requests for one number each, and reports each answer as it arrives.
 *
 * @returns the duration of each request, in milliseconds
 */
export async function runLoad(
  client: GatewayClient,
  series: SeriesCodes,
  requestCount: number,
  onAnswer: (answer: LoadAnswer) => void,
): Promise<readonly number[]> {
  const clock = new WireClock(requestCount);
  await Promise.all(
    Array.from({ length: requestCount }, async (_, request) => {
      onAnswer({ request, ...(await issueOne(client, series)) });
    }),
  );
  return clock.read();
}

async function issueOne(
  client: GatewayClient,
  series: SeriesCodes,
): Promise<Pick<LoadAnswer, 'issued' | 'refusal'>> {
  try {
    const { number, sequence } = granted(
      await client.issueDocumentNumber({ input: series }, { timeoutMs: ANSWER_WITHIN_MS }),
    );
    return { issued: { number, projectCode: series.projectCode, sequence } };
  } catch (error) {
    return { refusal: wordsOf(error) };
  }
}

/** Checks the answers for duplicates and gaps. */
export function proofOf(requestCount: number, answers: readonly LoadAnswer[]): LoadProof {
  const sequences = answers.flatMap(({ issued }) => (issued === undefined ? [] : [issued.sequence]));
  const distinct = new Set(sequences);
  const twice = new Set(sequences.filter((sequence, index) => sequences.indexOf(sequence) !== index));
  const first = Math.min(...sequences, Number.POSITIVE_INFINITY);
  const last = Math.max(...sequences, 0);
  const missing: number[] = [];
  for (let sequence = first; sequence < last; sequence += 1) {
    if (!distinct.has(sequence)) missing.push(sequence);
  }
  return {
    requestCount,
    answers,
    first: Number.isFinite(first) ? first : 0,
    last,
    distinctCount: distinct.size,
    twice,
    missing,
    refusedCount: answers.length - sequences.length,
  };
}
