import { NumberingError } from './numbering-error.js';

/** Base of the errors about one series; subclasses add their facts. */
abstract class SeriesError extends NumberingError {
  constructor(
    readonly space: string,
    readonly series: string,
    problem: string,
  ) {
    super(`Series "${series}" of "${space}" ${problem}`);
  }
}

/** The number space has no such series: call `defineSeries` first. */
export class UnknownSeriesError extends SeriesError {
  readonly code = 'UNKNOWN_SERIES';
  constructor(space: string, series: string) {
    super(space, series, 'does not exist; define it first');
  }
}

/** The series has counters, so rules that decide a counter's period, dimensions or limits can no longer change. */
export class SeriesInUseError extends SeriesError {
  readonly code = 'SERIES_IN_USE';
  constructor(
    space: string,
    series: string,
    readonly rules: readonly string[],
  ) {
    super(space, series, `is in use; ${rules.join(', ')} can no longer change`);
  }
}

/** The series or one of its formats has changed in the meantime: read it again and reapply the change. */
export class SeriesChangedError extends SeriesError {
  readonly code = 'SERIES_CHANGED';
  constructor(
    space: string,
    series: string,
    readonly expected: number,
    readonly revision: number,
  ) {
    super(space, series, `is at revision ${revision}, not ${expected}; read it again and reapply the change`);
  }
}

/** The series is closed to all callers; `defineSeries` without `blocked` reopens it. */
export class SeriesBlockedError extends SeriesError {
  readonly code = 'SERIES_BLOCKED';
  constructor(
    space: string,
    series: string,
    readonly reason: string,
  ) {
    super(space, series, `is blocked: ${reason}`);
  }
}

/** This version of the format has printed numbers, so it cannot be withdrawn. Save a new version instead. */
export class FormatInUseError extends SeriesError {
  readonly code = 'FORMAT_IN_USE';
  constructor(
    space: string,
    series: string,
    readonly version: number,
  ) {
    super(space, series, `has numbers printed by format version ${version}; save a new version`);
  }
}

/** No format version of the series is valid on the business date. */
export class NoFormatError extends SeriesError {
  readonly code = 'NO_FORMAT';
  constructor(
    space: string,
    series: string,
    readonly date: string,
  ) {
    super(space, series, `has no format valid on ${date}; save one first`);
  }
}

/** An organization, type, discipline or other code is missing, unknown, or contains forbidden characters. */
export class UnknownCodeError extends NumberingError {
  readonly code = 'UNKNOWN_CODE';
  constructor(
    readonly token: string,
    readonly reference: string | undefined,
    problem: string,
  ) {
    super(`${token}: ${reference === undefined ? 'no code given' : `"${reference}"`} ${problem}`);
  }
}

/** Error messages go to logs: they quote no more of a template than the longest one that could be saved. */
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** An error in a template, and its position. */
abstract class TemplateError extends NumberingError {
  constructor(
    readonly template: string,
    /** Index of the first character at fault, counted in UTF-16 units from 0. */
    readonly position: number,
    problem: string,
  ) {
    super(`Format template "${shortened(template)}", position ${position}: ${problem}`);
  }
}

/** The template breaks the grammar or a rule of its series. */
export class InvalidFormatError extends TemplateError {
  readonly code = 'INVALID_FORMAT';
}

/** The template names a token that is neither built in nor registered. */
export class UnknownTokenError extends TemplateError {
  readonly code = 'UNKNOWN_TOKEN';
  constructor(
    template: string,
    position: number,
    readonly token: string,
    /** The tokens that a template can have, such as `ORG`, `YEAR` and `SEQ:n`. */
    readonly validTokens: readonly string[],
  ) {
    super(template, position, `unknown token {${shortened(token)}}`);
  }
}

/** Two counters could print the same text under this template; `first` and `second` name them. */
export class AmbiguousFormatError extends TemplateError {
  readonly code = 'AMBIGUOUS_FORMAT';
  /** A number that both counters would print. `position` is where its two readings diverge. */
  declare readonly example: string;
  declare readonly first: string;
  declare readonly second: string;
  constructor(facts: Pick<AmbiguousFormatError, 'template' | 'position' | 'example' | 'first' | 'second'>) {
    const { template, position, example, first, second } = facts;
    const both = `"${example}" would be printed by ${first} and by ${second}`;
    super(template, position, `${both}; show every dimension and the period, separated from each other`);
    Object.assign(this, facts);
  }
}
