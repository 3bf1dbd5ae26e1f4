import { OutcomeUnknownError, StoreUnavailableError } from './numbering-error.js';

/**
 * What a failed statement means for what it wanted to write:
 *
 * | kind | applied | then |
 * |---|---|---|
 * | `refused` | surely not: PostgreSQL aborted it for a passing reason | repeat at once |
 * | `clash` | surely not: a unique key was in the way; `constraint` tells which | look, then decide |
 * | `unavailable` | surely not: it was never asked | repeat after a pause |
 * | `unknown` | nobody knows: the connection ended before the answer | look in the ledger, then repeat |
 * | `rejected` | surely not: the statement or its values are wrong | tell the caller |
 */
export interface StoreFailure {
  readonly kind: 'refused' | 'clash' | 'unavailable' | 'unknown' | 'rejected';
  readonly constraint: string | undefined;
}

/** Serialization failure, deadlock, lock not available, statement cancelled by a timeout of the server. */
const passing = new Set(['40001', '40P01', '55P03', '57014']);

/** Not yet or no longer taking connections, too many of them; said before a statement is read. */
const refusedToConnect = new Set(['57P03', '53300', '28000', '28P01', '3D000']);

const connectFailures = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The pool gave no connection; pg words it, and so does the pooler between. */
const neverAsked = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Cannot use a pool after calling end on the pool',
];

export function storeFailure(error: unknown): StoreFailure {
  const { code, constraint, message, syscall } = factsOf(error);
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !connectFailures.has(code)) {
    return { kind: kindOfState(code), constraint };
  }
  const isUnavailable =
    connectFailures.has(code ?? '') ||
    syscall === 'connect' ||
    neverAsked.some((text) => message.includes(text));
  return { kind: isUnavailable ? 'unavailable' : 'unknown', constraint: undefined };
}

function kindOfState(state: string): StoreFailure['kind'] {
  if (passing.has(state)) return 'refused';
  if (state === '23505') return 'clash';
  if (refusedToConnect.has(state)) return 'unavailable';
  // Administrator shutdown, crash, and connection exceptions end the session; the commit may have been made.
  if (state.startsWith('57P') || state.startsWith('08')) return 'unknown';
  return 'rejected';
}

/** Whether PostgreSQL itself said that a statement failed for no fault of its own. */
export function isPassing(error: unknown): boolean {
  const { code } = factsOf(error);
  const isState = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !connectFailures.has(code);
  return isState && ['refused', 'unavailable', 'unknown'].includes(kindOfState(code));
}

/** The error that a caller sees when the time for repeats is over. */
export function storeError(error: unknown, mayBeCommitted: boolean): Error {
  if (mayBeCommitted) return new OutcomeUnknownError({ cause: error });
  return new StoreUnavailableError({ cause: error });
}

interface ErrorFacts {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly message: string;
  readonly syscall: string | undefined;
}

function factsOf(error: unknown): ErrorFacts {
  const text = (name: string): string | undefined => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    code: text('code'),
    constraint: text('constraint'),
    syscall: text('syscall'),
    message: error instanceof Error ? error.message : String(error),
  };
}
