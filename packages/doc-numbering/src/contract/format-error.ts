import { NumberingError } from './numbering-error.js';

/** An error's text is for logs: it says no more of a template than one that could be saved has. */
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** The template breaks the grammar or a rule of its series. */
export class InvalidFormatError extends NumberingError {
  readonly code = 'INVALID_FORMAT';
  constructor(
    readonly template: string,
    /** Index of the first character at fault, counted in UTF-16 units from 0. */
    readonly position: number,
    problem: string,
  ) {
    super(`Format template "${shortened(template)}", position ${position}: ${problem}`);
  }
}

/** The template names a token that is neither built in nor registered. */
export class UnknownTokenError extends NumberingError {
  readonly code = 'UNKNOWN_TOKEN';
  constructor(
    readonly template: string,
    readonly position: number,
    readonly token: string,
  ) {
    super(
      `Format template "${shortened(template)}", position ${position}: there is no token {${shortened(token)}}`,
    );
  }
}

/** Two counters could print the same text under this template; `first` and `second` name them. */
export class AmbiguousFormatError extends NumberingError {
  readonly code = 'AMBIGUOUS_FORMAT';
  readonly template: string;
  /** Where two readings of the example part, counted in UTF-16 units from 0. */
  readonly position: number;
  /** A number that both counters would print. */
  readonly example: string;
  readonly first: string;
  readonly second: string;
  constructor(facts: {
    template: string;
    position: number;
    example: string;
    first: string;
    second: string;
  }) {
    super(
      `Format template "${facts.template}", position ${facts.position}: "${facts.example}" would be printed by ${facts.first} ` +
        `and by ${facts.second}; show every dimension and the period, apart from each other`,
    );
    this.template = facts.template;
    this.position = facts.position;
    this.example = facts.example;
    this.first = facts.first;
    this.second = facts.second;
  }
}
