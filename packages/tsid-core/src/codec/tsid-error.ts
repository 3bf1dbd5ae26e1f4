import type { TsidLayout } from './layout.js';

/** Every code an error of the pure part of this package can carry. */
export type TsidErrorCode =
  | 'INVALID_LAYOUT'
  | 'INVALID_GENERATOR_OPTIONS'
  | 'TSID_OUT_OF_RANGE'
  | 'MALFORMED_TSID'
  | 'CLOCK_MOVED_BACKWARDS'
  | 'CLOCK_STALLED'
  | 'HORIZON_PASSED'
  | 'NODE_IN_USE'
  | 'NODE_UNAVAILABLE';

/** On the errors of every copy of this package: a process can hold an ES module and a CommonJS copy. */
const ERROR = Symbol.for('@solegate/tsid-core/error');

/**
 * What all errors of the pure part have in common: a literal code to branch on. `instanceof TsidError` also knows the
 * errors of another copy of this package.
 */
export abstract class TsidError extends Error {
  abstract readonly code: TsidErrorCode;
  /** May the same call succeed later without anybody changing anything? */
  abstract readonly retryable: boolean;

  /** As the class is called in the sources: minified bundles rename classes, not codes. */
  override get name(): string {
    return `${this.code.toLowerCase().replace(/(^|_)./g, (part) => part.slice(-1).toUpperCase())}Error`;
  }

  static {
    Object.defineProperty(TsidError.prototype, ERROR, { value: true });
  }

  /** Knows the errors of another copy of this package too, such as the one of the other module format. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the subclasses inherit this and keep the plain check
    if (this !== TsidError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && ERROR in value;
  }
}

/** A layout whose widths, epoch or horizon cannot work. Nothing was defined. */
export class InvalidLayoutError extends TsidError {
  readonly code = 'INVALID_LAYOUT';
  readonly retryable = false;
}

/** Generator options that contradict each other or lie outside their range. */
export class InvalidGeneratorOptionsError extends TsidError {
  readonly code = 'INVALID_GENERATOR_OPTIONS';
  readonly retryable = false;
}

/** A number that does not fit its field. Nothing is ever masked to make it fit. */
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

/** Something that is not a TSID in the stated form. */
export class MalformedTsidError extends TsidError {
  readonly code = 'MALFORMED_TSID';
  readonly retryable = false;
  /** What was given; empty when that was no text. */
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

/** The clock reads less than it did before, by more than the policy allows. Nothing was minted. */
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

/** The clock did not move while the generator waited for its next millisecond. */
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

/** A second generator asked for a node that another one of this process mints on. */
export class NodeInUseError extends TsidError {
  readonly code = 'NODE_IN_USE';
  readonly retryable = false;

  constructor(
    readonly namespace: string,
    readonly node: number,
  ) {
    super(`Node ${node} of "${namespace}" has a generator in this process: use it, or close() it.`);
  }
}

/** Why a generator has no node to mint on. */
export type NodeUnavailableReason = 'lost' | 'ended' | 'released' | 'closed';

/**
 * There is no node to mint on at this moment. `lost`: the lease was taken away; `ended`: the clock reads past the window
 * of timestamps; both may heal by themselves. `released` and `closed` are final.
 */
export class NodeUnavailableError extends TsidError {
  readonly code = 'NODE_UNAVAILABLE';
  readonly retryable: boolean;

  constructor(readonly reason: NodeUnavailableReason) {
    super(`No ID can be minted: ${UNAVAILABLE[reason]}.`);
    this.retryable = reason === 'lost' || reason === 'ended';
  }
}

const UNAVAILABLE: Readonly<Record<NodeUnavailableReason, string>> = {
  lost: 'the node was lost, another one is being leased',
  ended:
    'the clock reads past its window, and Redis did not extend that: no answer, or the clocks differ (see health())',
  released: 'the node was released',
  closed: 'the generator was closed',
};
