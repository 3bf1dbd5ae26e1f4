import { errorName, recognizeCopies } from './error-identity.js';
import type { TsidLayout } from './layout.js';

/** Error codes of the part of this package that needs no Redis. */
export type TsidErrorCode =
  | 'INVALID_LAYOUT'
  | 'INVALID_GENERATOR_OPTIONS'
  | 'TSID_OUT_OF_RANGE'
  | 'MALFORMED_TSID'
  | 'CLOCK_MOVED_BACKWARDS'
  | 'CLOCK_STALLED'
  | 'HORIZON_PASSED'
  | 'NODE_IN_USE'
  | 'NODE_UNAVAILABLE'
  | 'TSID_KEY_MISSING';

/** Base class of the errors of the part that needs no store, each with a literal code. */
export abstract class TsidError extends Error {
  abstract readonly code: TsidErrorCode;
  /** Whether the same call can succeed later without any change. */
  abstract readonly retryable: boolean;

  /** The name of the class in the source. */
  override get name(): string {
    return errorName(this.code);
  }

  static {
    recognizeCopies(TsidError, 'error');
  }
}

/** The widths, epoch or horizon of a layout are invalid. Nothing was defined. */
export class InvalidLayoutError extends TsidError {
  readonly code = 'INVALID_LAYOUT';
  readonly retryable = false;
}

/** Generator options contradict each other or are out of range. */
export class InvalidGeneratorOptionsError extends TsidError {
  readonly code = 'INVALID_GENERATOR_OPTIONS';
  readonly retryable = false;
}

/** A number does not fit its field. Values are never masked to fit. */
export class TsidOutOfRangeError extends TsidError {
  readonly code = 'TSID_OUT_OF_RANGE';
  readonly retryable = false;

  constructor(
    readonly field: 'id' | 'node' | 'time' | 'sequence' | 'bytes',
    readonly value: bigint | number,
    message: string,
  ) {
    super(message);
  }
}

/** The input is not a TSID in the expected form. */
export class MalformedTsidError extends TsidError {
  readonly code = 'MALFORMED_TSID';
  readonly retryable = false;
  /** The input; empty if it was not a string. */
  readonly text: string;

  constructor(
    given: unknown,
    readonly form: string,
  ) {
    const isText = typeof given === 'string';
    const what = isText ? JSON.stringify(given.slice(0, 40)) : `A value of type ${typeof given}`;
    super(`${what} is not a TSID: expected ${form}${isText ? '' : ' as text'}.`);
    this.text = isText ? given : '';
  }
}

/** The clock moved backwards by more than the policy allows. Nothing was minted. */
export class ClockMovedBackwardsError extends TsidError {
  readonly code = 'CLOCK_MOVED_BACKWARDS';
  readonly retryable = true;
  readonly durationMs: number;

  constructor(
    readonly lastMs: number,
    readonly nowMs: number,
  ) {
    const durationMs = lastMs - nowMs;
    super(
      `Clock moved backwards. Refusing to generate id for ${durationMs}ms (last ${lastMs}, now ${nowMs}).`,
    );
    this.durationMs = durationMs;
  }
}

/** The clock did not advance while the generator waited for the next millisecond. */
export class ClockStalledError extends TsidError {
  readonly code = 'CLOCK_STALLED';
  readonly retryable = true;

  constructor(
    readonly nowMs: number,
    readonly readCount: number,
  ) {
    super(`The clock still reads ${nowMs} after ${readCount} reads.`);
  }
}

/** The time no longer fits the layout. Define a layout with a later epoch or more time bits. */
export class HorizonPassedError extends TsidError {
  readonly code = 'HORIZON_PASSED';
  readonly retryable = false;

  constructor(
    readonly nowMs: number,
    readonly layout: TsidLayout,
  ) {
    super(`The time ${nowMs} is outside the layout: ${layout.epochMs} to ${layout.horizonMs - 1}.`);
  }
}

/** Another generator in this process already mints on the node, or could get it from its lease. */
export class NodeInUseError extends TsidError {
  readonly code = 'NODE_IN_USE';
  readonly retryable = false;

  constructor(
    readonly namespace: string,
    readonly node: number,
    isMixed = false,
  ) {
    super(
      isMixed
        ? `Node ${node} of "${namespace}": static and leased nodes can be equal. Lease all, or give the static node a ` +
            'namespace if its IDs never meet the others.'
        : `Node ${node} of "${namespace}" already has a generator in this process: use it, or close() it.`,
    );
  }
}

/** Why a generator has no node to mint on. */
export type NodeUnavailableReason = 'LOST' | 'ENDED' | 'RELEASED' | 'CLOSED';

/**
 * There is currently no node to mint on. `LOST`: the lease was revoked; `ENDED`: the clock is past the window of
 * timestamps. Both can recover without intervention. `RELEASED` and `CLOSED` are final.
 */
export class NodeUnavailableError extends TsidError {
  readonly code = 'NODE_UNAVAILABLE';
  readonly retryable: boolean;

  constructor(readonly reason: NodeUnavailableReason) {
    super(`No ID can be minted: ${UNAVAILABLE[reason]}.`);
    this.retryable = reason === 'LOST' || reason === 'ENDED';
  }
}

const UNAVAILABLE: Readonly<Record<NodeUnavailableReason, string>> = {
  LOST: 'the node was lost and another one is being leased',
  ENDED:
    'the clock is past the window, which was not extended: no reply, or the clocks differ (see health())',
  RELEASED: 'the node was released',
  CLOSED: 'the generator was closed',
};
