import type { Failure } from '../contract/failure.js';
import type { Operation, Variables } from '../contract/operation.js';
import type { MutationField } from '../generated/operations.js';

/**
 * What a repeat of a mutation does when it is unknown whether the first attempt was executed:
 *
 * - `{ keyIn }`: the input at that path accepts an idempotency key; a repeat returns the result of the first attempt.
 * - `SAME`: no key needed; a repeat returns the same result and has no further effect.
 * - `ONCE`: a repeat could execute it twice, undo a change made since, or be refused although the first attempt succeeded.
 *   It is repeated only after a response stating that nothing was done.
 */
export type Repetition = { readonly keyIn: readonly string[] } | 'SAME' | 'ONCE';

const INPUT = { keyIn: ['input'] };

/** A mutation without a row does not compile. */
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
  confirmDocumentNumber: 'SAME',
  cancelDocumentNumber: 'SAME',
  voidDocumentNumber: 'SAME',
  withdrawDocumentNumberFormat: 'SAME',
  // A repeat has no further effect, but reports that nothing was left to do.
  saveDefaultDocumentNumberFormat: 'ONCE',
  // A late repeat could undo what somebody else has changed since.
  blockDocumentSeries: 'ONCE',
  unblockDocumentSeries: 'ONCE',
  renameProject: 'ONCE',
  renameOrganization: 'ONCE',
  renameCorrespondenceType: 'ONCE',
  renameDiscipline: 'ONCE',
  // Unused IDs are no loss.
  generateTsids: 'SAME',

  assignDocumentNumber: 'ONCE',
  skipDocumentNumbers: 'ONCE',
  importDocumentNumbers: 'ONCE',
  reconcileDocumentNumbers: 'ONCE',
  broadcastTrip: 'ONCE',
  // A late repeat could replace a newer position.
  updateDriverPosition: 'ONCE',
  acceptCounterRegression: 'ONCE',
  defineDocumentSeries: 'ONCE',
  saveDocumentNumberFormat: 'ONCE',
  createProject: 'ONCE',
  createOrganization: 'ONCE',
  createCorrespondenceType: 'ONCE',
  createDiscipline: 'ONCE',
};

/** How an operation can be repeated. Queries and subscriptions change nothing and return the current state. */
export function repetitionOf({ kind, field }: Operation): Repetition {
  return kind === 'mutation' ? REPETITIONS[field as MutationField] : 'SAME';
}

/** Whether a failed attempt is retried. */
export function isRepeated(repetition: Repetition, { retryable, isHarmless }: Failure): boolean {
  return retryable && (isHarmless || repetition !== 'ONCE');
}

/**
 * Puts the idempotency key into the variables and returns both; a key already in the variables is kept.
 *
 * @param key returns the key for an input, or undefined if it needs none
 */
export function withKey(
  variables: Variables,
  path: readonly string[],
  key: (input: Variables) => string | undefined,
): { readonly variables: Variables; readonly key: string | undefined } {
  const [step, ...rest] = path;
  if (step === undefined) {
    const idempotencyKey = (variables.idempotencyKey as string | null | undefined) ?? key(variables);
    return { variables: { ...variables, idempotencyKey }, key: idempotencyKey };
  }
  const inner = withKey((variables[step] ?? {}) as Variables, rest, key);
  return { variables: { ...variables, [step]: inner.variables }, key: inner.key };
}

/** A random key of at least 122 bits. `crypto.randomUUID` is missing on pages without https. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * Pause before the next attempt, in milliseconds: never shorter than the server asked for, and randomized to spread
 * callers that were refused at the same moment.
 *
 * @param attemptCount attempts so far, from 1
 * @param random 0 to 1
 */
export function waitBefore(
  attemptCount: number,
  { baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number },
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number | undefined; readonly random: number },
): number {
  // Without a pause between them, attempts become so many that 0 is multiplied by Infinity.
  const spreadMs = Math.min(maxMs, baseMs * 2 ** (attemptCount - 1) || 0);
  return retryAfterMs + spreadMs * (0.5 + random / 2);
}
