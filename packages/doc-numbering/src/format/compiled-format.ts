import { InvalidRequestError } from '../contract/numbering-error.js';
import type { Overflow, Series } from '../contract/series.js';
import { fiscalStartYear } from './period.js';
import { parseTemplate, type TemplatePart, type YearPart } from './template.js';
import { codeCharacters, type TokenRegistry } from './token.js';

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

export interface ReadNumber {
  readonly sequence: number;
  /** Printed text by token name. */
  readonly tokens: Readonly<Record<string, string>>;
}

export interface FormatVersion {
  readonly version: number;
  readonly template: string;
  readonly overflow: Overflow;
  readonly validFrom: string;
}

export type FiscalRules = Pick<Series, 'fiscalStartMonth' | 'fiscalYearNamedBy'>;

/** A format read once: it renders by joining and reads a number back by one pattern. */
export class CompiledFormat {
  readonly parts: readonly TemplatePart[];
  readonly width: number;
  /** Last sequence that may be printed. */
  readonly ceiling: number;
  /** Names of the codes it prints, each once. */
  readonly codeNames: readonly string[];
  /** Whether two business dates of one period can print differently. */
  readonly printsDates: boolean;
  readonly #before: readonly TemplatePart[];
  readonly #after: readonly TemplatePart[];
  #pattern: { readonly key: string; readonly regExp: RegExp } | undefined;

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
    this.printsDates = this.parts.some(
      ({ kind }) => kind !== 'literal' && kind !== 'code' && kind !== 'sequence',
    );
  }

  /** The text around the sequence. @throws InvalidRequestError when two digits cannot print the year */
  affixes(values: NumberValues, fiscal: FiscalRules): Affixes {
    const print = (part: TemplatePart): string => printPart(part, values, fiscal);
    return { prefix: this.#before.map(print).join(''), suffix: this.#after.map(print).join('') };
  }

  render(affixes: Affixes, sequence: number): string {
    return `${affixes.prefix}${String(sequence).padStart(this.width, '0')}${affixes.suffix}`;
  }

  /**
   * Reads a number back; `undefined` when this format cannot have printed it. `fixed` are the codes that all numbers of the
   * series print alike.
   */
  read(number: string, fixed: Readonly<Record<string, string>>): ReadNumber | undefined {
    const key = JSON.stringify(fixed);
    if (this.#pattern?.key !== key) {
      this.#pattern = { key, regExp: patternOf(this.parts, this.facts.overflow, fixed) };
    }
    const groups = this.#pattern.regExp.exec(number)?.groups;
    if (!groups) return undefined;
    const { SEQ = '', ...tokens } = groups;
    return { sequence: Number(SEQ), tokens };
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

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function patternOf(
  parts: readonly TemplatePart[],
  overflow: Overflow,
  fixed: Readonly<Record<string, string>>,
): RegExp {
  const seen = new Set<string>();
  const group = (name: string, pattern: string): string => {
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>${pattern})`;
  };
  const sources = parts.map((part) => {
    switch (part.kind) {
      case 'literal':
        return escapePattern(part.text);
      case 'sequence':
        return group('SEQ', sequencePattern(part.width, overflow));
      case 'month':
        return group('MONTH', '0[1-9]|1[0-2]');
      case 'day':
        return group('DAY', '0[1-9]|[12]\\d|3[01]');
      case 'code': {
        const code = fixed[part.token.name];
        const any = `[${codeCharacters(part.token)}]{1,${part.token.lengthMax}}`;
        return group(part.token.name, code === undefined ? any : escapePattern(code));
      }
      default:
        return group(yearName(part), `\\d{${part.digitCount}}`);
    }
  });
  return new RegExp(`^${sources.join('')}$`, 'u');
}

const sequencePattern = (width: number, overflow: Overflow): string =>
  overflow === 'widen' ? `\\d{${width}}|[1-9]\\d{${width},15}` : `\\d{${width}}`;

/** Name of a year token among the parts of a number: two that print differently have two names. */
export function yearName(part: YearPart): string {
  const name = part.kind === 'year' ? 'YEAR' : 'FISCAL_YEAR';
  return `${name}${part.isBuddhist ? '_BE' : ''}${part.digitCount === 2 ? '_2' : ''}`;
}
