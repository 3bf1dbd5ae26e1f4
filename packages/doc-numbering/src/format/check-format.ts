import type { Series } from '../contract/series.js';
import { AmbiguousFormatError, InvalidFormatError } from '../contract/series-error.js';
import { CompiledFormat, type FormatVersion } from './compiled-format.js';
import { findSharedNumber, NumberAutomaton } from './distinctness.js';
import { periodOf, resets } from './period.js';
import type { SeriesFormat } from './read-number.js';
import type { TokenRegistry } from './token.js';

/** Longest number text, so that columns and forms of other systems can hold it. */
const NUMBER_LENGTH_MAX = 200;

export interface FormatCheck {
  readonly version: FormatVersion;
  readonly series: Series;
  readonly registry: TokenRegistry;
  /** Codes that are the same in all numbers of the series: `{ TYPE: 'RFA', PROJECT: 'P1' }`. */
  readonly fixedCodes: Readonly<Record<string, string>>;
  /** All versions of this series and of the others in its number space. */
  readonly neighbours: readonly SeriesFormat[];
}

/**
 * Checks a template before it is used: grammar, one sequence, every dimension and the period shown, length, and that no
 * two counters of the number space can ever print the same text.
 *
 * @throws InvalidFormatError, UnknownTokenError, AmbiguousFormatError, each with the position at fault
 */
export function checkFormat(check: FormatCheck): CompiledFormat {
  const format = checkTemplate(check.version, check.registry);
  checkDimensions(format, check.series);
  checkPeriod(format, check.series);
  checkDistinct(format, check);
  return format;
}

/** Checks what can be checked without a series. @throws InvalidFormatError, UnknownTokenError */
export function checkTemplate(version: FormatVersion, registry: TokenRegistry): CompiledFormat {
  const format = new CompiledFormat(version, registry);
  checkSequence(format);
  checkLength(format);
  return format;
}

function checkSequence({ parts, facts }: CompiledFormat): void {
  const [first, second] = parts.filter((part) => part.kind === 'sequence');
  if (!first) {
    const problem = 'no {SEQ:n}, so all numbers would be identical';
    throw new InvalidFormatError(facts.template, facts.template.length, problem);
  }
  if (second)
    throw new InvalidFormatError(facts.template, second.position, 'a second {SEQ:n}; only one is allowed');
}

function checkLength({ parts, facts }: CompiledFormat): void {
  let length = 0;
  for (const part of parts) {
    if (part.kind === 'literal') length += part.text.length;
    else if (part.kind === 'code') length += part.token.lengthMax;
    else length += part.kind === 'sequence' ? Math.max(part.width, 16) : 4;
    if (length > NUMBER_LENGTH_MAX) {
      const problem = `a number could be longer than ${NUMBER_LENGTH_MAX} characters from here on`;
      throw new InvalidFormatError(facts.template, part.position, problem);
    }
  }
}

function checkDimensions({ codeNames, facts }: CompiledFormat, series: Series): void {
  for (const { token } of series.dimensions) {
    if (codeNames.includes(token)) continue;
    const second = `the counter of ${token} B, because {${token}} is not shown`;
    throw printedAlike(facts, `the counter of ${token} A`, second);
  }
}

function checkPeriod({ parts, facts }: CompiledFormat, series: Series): void {
  const shown = new Set(parts.flatMap((part) => (part.kind === 'date' ? [part.token.kind] : [])));
  const needs = resets[series.reset];
  if (needs.every((kinds) => kinds.some((kind) => shown.has(kind)))) return;
  const [first, second] = ['2026-01-01', '2027-05-02'].map((date) => periodOf(date, series));
  const alternatives = needs.map((kinds) => kinds.map((kind) => `{${kind.toUpperCase()}}`).join(' or '));
  const reason = `because a reset by ${series.reset} needs ${alternatives.join(' and ')}`;
  throw printedAlike(facts, `the counter of period ${first}`, `the counter of period ${second}, ${reason}`);
}

/** The error for two counters of one series whose numbers the template cannot distinguish. */
function printedAlike({ template }: FormatVersion, first: string, second: string): AmbiguousFormatError {
  return new AmbiguousFormatError({ template, position: template.length, example: template, first, second });
}

function checkDistinct(format: CompiledFormat, check: FormatCheck): void {
  const { facts, parts } = format;
  const self: SeriesFormat = { ...check, format };
  const mine = new NumberAutomaton(self);
  for (const neighbour of [self, ...check.neighbours]) {
    const other = neighbour.format;
    const theirs = new NumberAutomaton(neighbour);
    const shared = findSharedNumber(mine, theirs, neighbour.series.series === check.series.series);
    if (!shared) continue;
    throw new AmbiguousFormatError({
      template: facts.template,
      position: parts[shared.segment]?.position ?? facts.template.length,
      example: shared.text,
      first: nameCounter(check.series.series, shared.first),
      second: nameCounter(
        neighbour.series.series,
        shared.second,
        other === format ? undefined : other.facts.template,
      ),
    });
  }
}

function nameCounter(series: string, tokens: Readonly<Record<string, string>>, template?: string): string {
  const values = Object.entries(tokens).map(([name, text]) => `${name} ${text}`);
  const format = template === undefined ? '' : ` under "${template}"`;
  return `series ${series}${format} (${values.join(', ')})`;
}
