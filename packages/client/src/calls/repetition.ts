import type { Failure } from '../contract/failure.js';
import type { Operation, Variables } from '../contract/operation.js';
import type { MutationField } from '../generated/operations.js';

/**
 * What a repeat of a mutation does when it is not known whether the first was carried out:
 *
 * - `{ keyIn }`: the input at that path takes an idempotency key; a repeat with it finds what was done.
 * - `SAME`: it needs no key; a repeat gets the same answer and does nothing more.
 * - `ONCE`: a repeat could do it twice, or be refused although it was done. It is repeated only after an answer that says
 *   that nothing was done.
 */
export type Repetition = { readonly keyIn: readonly string[] } | 'SAME' | 'ONCE';

const INPUT = { keyIn: ['input'] };

/** The compiler refuses a mutation without a row. */
const REPETITIONS: { readonly [Field in MutationField]: Repetition } = {
  issueDocumentNumber: INPUT,
  issueDocumentNumbers: INPUT,
  reserveDocumentNumber: INPUT,
  replaceDocumentNumber: { keyIn: ['input', 'replacement'] },
  createCorrespondence: INPUT,
  requestTrip: INPUT,

  acceptTrip: 'SAME',
  rejectTrip: 'SAME',
  startTrip: 'SAME',
  completeTrip: 'SAME',
  reportArrival: 'SAME',
  reportNoShow: 'SAME',
  cancelTrip: 'SAME',
  updateDriverPosition: 'SAME',
  confirmDocumentNumber: 'SAME',
  cancelDocumentNumber: 'SAME',
  voidDocumentNumber: 'SAME',
  blockDocumentSeries: 'SAME',
  unblockDocumentSeries: 'SAME',
  withdrawDocumentNumberFormat: 'SAME',
  // A repeat does nothing more, but it says that nothing was left to do.
  archiveDocumentNumbers: 'ONCE',
  saveDefaultDocumentNumberFormat: 'ONCE',
  // IDs that nobody got are no loss.
  generateTsids: 'SAME',

  assignDocumentNumber: 'ONCE',
  skipDocumentNumbers: 'ONCE',
  importDocumentNumbers: 'ONCE',
  reconcileDocumentNumbers: 'ONCE',
  broadcastTrip: 'ONCE',
  acceptCounterRegression: 'ONCE',
  defineDocumentSeries: 'ONCE',
  saveDocumentNumberFormat: 'ONCE',
  createProject: 'ONCE',
  createOrganization: 'ONCE',
  createCorrespondenceType: 'ONCE',
  createDiscipline: 'ONCE',
};

/** How an operation may be repeated; whatever changes nothing always gives the answer of now. */
export function repetitionOf({ kind, field }: Operation): Repetition {
  return kind === 'mutation' ? REPETITIONS[field as MutationField] : 'SAME';
}

/** Whether an attempt that failed is made again. */
export function isRepeated(repetition: Repetition, { retryable, isHarmless }: Failure): boolean {
  return retryable && (isHarmless || repetition !== 'ONCE');
}

/** The variables with a key in their place, and the key: the caller's own where there is one. */
export function withKey(
  variables: Variables,
  path: readonly string[],
  key: () => string,
): { readonly variables: Variables; readonly key: string } {
  const [step, ...rest] = path;
  if (step === undefined) {
    const known = variables.idempotencyKey;
    if (typeof known === 'string') return { variables, key: known };
    const idempotencyKey = key();
    return { variables: { ...variables, idempotencyKey }, key: idempotencyKey };
  }
  const inner = withKey((variables[step] ?? {}) as Variables, rest, key);
  return { variables: { ...variables, [step]: inner.variables }, key: inner.key };
}

/** 128 random bits. `crypto.randomUUID` is missing where a page has no https. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * How long to wait before another attempt, in milliseconds: never shorter than the server asked, and apart from others who
 * were refused at the same moment.
 *
 * @param attemptCount attempts so far, from 1
 * @param random 0 to 1
 */
export function waitBefore(
  attemptCount: number,
  { baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number },
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number | undefined; readonly random: number },
): number {
  const spreadMs = Math.min(maxMs, baseMs * 2 ** (attemptCount - 1));
  return retryAfterMs + spreadMs * (0.5 + random / 2);
}
