import { InvalidRequestError } from '../contract/numbering-error.js';
import type { DocumentFormat, Series } from '../contract/series.js';
import { fiscalStartYear } from './period.js';
import { parseTemplate, type TemplatePart, type YearPart } from './template.js';
import type { TokenRegistry } from './token.js';

/** Highest sequence that is the same in PostgreSQL's bigint and in a JavaScript number. */
export const sequenceMax = Number.MAX_SAFE_INTEGER;

const buddhistOffset = 543;

/** First year that two digits can print; the last is 99 later. */
const firstShortYear = { buddhist: 2500, christian: 2000 } as const;

/** What is printed beside the sequence. */
export interface NumberValues {
  /** Business date, `YYYY-MM-DD`. It lies in the counter's period, so its year is the period's. */
  readonly date: string;
  /** Codes by token name. */
  readonly codes: Readonly<Record<string, string>>;
}

export interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

/** What a version of a format is made of. */
export type FormatVersion = Pick<DocumentFormat, 'version' | 'template' | 'overflow' | 'validFrom'>;

export type FiscalRules = Pick<Series, 'fiscalStartMonth' | 'fiscalYearNamedBy'>;

/** A format read once: it renders by joining and reads a number back by one pattern. */
export class CompiledFormat {
  readonly parts: readonly TemplatePart[];
  readonly width: number;
  /** Last sequence that may be printed. */
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

  /** The text around the sequence. @throws InvalidRequestError when two digits cannot print the year */
  affixes(values: NumberValues, fiscal: FiscalRules): Affixes {
    const print = (part: TemplatePart): string => printPart(part, values, fiscal);
    return { prefix: this.#before.map(print).join(''), suffix: this.#after.map(print).join('') };
  }

  render(affixes: Affixes, sequence: number): string {
    return `${affixes.prefix}${String(sequence).padStart(this.width, '0')}${affixes.suffix}`;
  }
}

function printPart(part: TemplatePart, values: NumberValues, fiscal: FiscalRules): string {
  switch (part.kind) {
    case 'literal':
      return part.text;
    case 'sequence':
      return '';
    case 'month':
      return values.date.slice(5, 7);
    case 'day':
      return values.date.slice(8, 10);
    case 'code':
      return values.codes[part.token.name] ?? '';
    case 'year':
      return printYear(part, Number(values.date.slice(0, 4)));
    case 'fiscal_year': {
      const start = fiscalStartYear(values.date, fiscal.fiscalStartMonth);
      // A fiscal year that starts in January ends in the same calendar year.
      const endsLater = fiscal.fiscalYearNamedBy === 'end' && fiscal.fiscalStartMonth > 1;
      return printYear(part, endsLater ? start + 1 : start);
    }
  }
}

function printYear(part: YearPart, christianYear: number): string {
  const year = part.isBuddhist ? christianYear + buddhistOffset : christianYear;
  if (part.digitCount === 4) return String(year);
  const first = part.isBuddhist ? firstShortYear.buddhist : firstShortYear.christian;
  if (year < first || year > first + 99) {
    throw new InvalidRequestError(
      'date',
      `two digits print the years ${first} to ${first + 99}, not ${year}`,
    );
  }
  return String(year).slice(2);
}

/** Name of a year token among the parts of a number: two that print differently have two names. */
export function yearName(part: YearPart): string {
  const name = part.kind === 'year' ? 'YEAR' : 'FISCAL_YEAR';
  return `${name}${part.isBuddhist ? '_BE' : ''}${part.digitCount === 2 ? '_2' : ''}`;
}
