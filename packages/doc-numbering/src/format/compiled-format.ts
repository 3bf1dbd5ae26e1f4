import { InvalidRequestError } from '../contract/numbering-error.js';
import type { DocumentFormat } from '../contract/series.js';
import type { PeriodRules } from './period.js';
import { type DateToken, parseTemplate, type TemplatePart } from './template.js';
import type { TokenRegistry } from './token.js';

/** Highest sequence that a JavaScript number represents as exactly as PostgreSQL's bigint. */
export const sequenceMax = Number.MAX_SAFE_INTEGER;

/** The values printed besides the sequence. */
export interface NumberValues {
  /** Business date, `YYYY-MM-DD`. It is in the counter's period, so its year is the period's. */
  readonly date: string;
  /** Codes by token name. */
  readonly codes: Readonly<Record<string, string>>;
}

export interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

/** The content of a format version. */
export type FormatVersion = Pick<DocumentFormat, 'version' | 'template' | 'overflow' | 'validFrom'>;

/** A format parsed once: rendering a number only concatenates. */
export class CompiledFormat {
  readonly parts: readonly TemplatePart[];
  readonly width: number;
  /** Last sequence that can be printed. */
  readonly ceiling: number;
  /** Names of the codes it prints, each once. */
  readonly codeNames: readonly string[];
  readonly #before: readonly TemplatePart[];
  readonly #after: readonly TemplatePart[];

  /** @throws InvalidFormatError, UnknownTokenError */
  constructor(
    readonly facts: FormatVersion,
    registry: TokenRegistry,
  ) {
    this.parts = parseTemplate(facts.template, registry);
    const at = this.parts.findIndex((part) => part.kind === 'sequence');
    const sequence = this.parts[at];
    this.width = sequence?.kind === 'sequence' ? sequence.width : 0;
    this.ceiling = facts.overflow === 'widen' ? sequenceMax : 10 ** this.width - 1;
    this.#before = this.parts.slice(0, at);
    this.#after = this.parts.slice(at + 1);
    this.codeNames = [
      ...new Set(this.parts.flatMap((part) => (part.kind === 'code' ? [part.token.name] : []))),
    ];
  }

  /** Renders the text around the sequence. @throws InvalidRequestError if two digits cannot print the year */
  affixes(values: NumberValues, rules: PeriodRules): Affixes {
    const print = (part: TemplatePart): string => printPart(part, values, rules);
    return { prefix: this.#before.map(print).join(''), suffix: this.#after.map(print).join('') };
  }

  render(affixes: Affixes, sequence: number): string {
    return `${affixes.prefix}${String(sequence).padStart(this.width, '0')}${affixes.suffix}`;
  }
}

function printPart(part: TemplatePart, { date, codes }: NumberValues, rules: PeriodRules): string {
  switch (part.kind) {
    case 'literal':
      return part.text;
    case 'sequence':
      return '';
    case 'date':
      return printDate(part.token, date, rules);
    case 'code':
      return codes[part.token.name] ?? '';
  }
}

function printDate(token: DateToken, date: string, rules: PeriodRules): string {
  const value = token.of(date, rules) + token.offset;
  const isShortYear = token.width === 2 && value > 99;
  const first = token.offset === 0 ? 2000 : 2500;
  if (isShortYear && (value < first || value > first + 99)) {
    const problem = `two digits can print the years ${first} to ${first + 99}, not ${value}`;
    throw new InvalidRequestError('date', problem);
  }
  return String(value % 10 ** token.width).padStart(token.width, '0');
}
