import { InvalidFormatError, UnknownTokenError } from '../contract/series-error.js';
import { type DatePart, dateParts } from './period.js';
import type { CodeToken, TokenRegistry } from './token.js';

/**
 * Grammar of a format template:
 *
 *   template = { literal | token }          literal = printable text, with {{ and }} for braces
 *   token    = "{" name { ":" argument } "}"
 *
 *   {SEQ:n}                   the sequence, at least n digits, n = 1 … 15
 *   {YEAR}  {YEAR:2}          four digits, or two for the years 2000 to 2099
 *   {YEAR:BE}  {YEAR:BE:2}    Buddhist era, CE + 543; two digits for 2500 to 2599 (CE 1957 to 2056)
 *   {FISCAL_YEAR} …           like YEAR, by the year in which the fiscal year starts or ends, as the series defines
 *   {FISCAL_START} {FISCAL_END}   like YEAR; {FISCAL_START:2}-{FISCAL_END:2} prints 25-26
 *   {WEEK_YEAR}  {WEEK}       like YEAR, and two digits: ISO 8601
 *   {QUARTER} {MONTH} {DAY}   one digit, two, two
 *   {ORG}  {TYPE} …           a code
 */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly position: number; readonly text: string }
  | { readonly kind: 'sequence'; readonly position: number; readonly width: number }
  | { readonly kind: 'date'; readonly position: number; readonly token: DateToken }
  | { readonly kind: 'code'; readonly position: number; readonly token: CodeToken };

/** A part of the date as a template prints it. */
export interface DateToken extends DatePart {
  /** Its name among the parts of a number; parts that print differently have different names. */
  readonly label: string;
  /** Added to the printed value: years of the Buddhist era are 543 ahead. */
  readonly offset: number;
}

const BUDDHIST_OFFSET = 543;
const TEMPLATE_LENGTH_MAX = 200;

/** A Map, because a template can use any name, including that of a property every object has. */
const shortSpellings: ReadonlyMap<string, string> = new Map([
  ['YYYY', 'YEAR'],
  ['YY', 'YEAR:2'],
  ['MM', 'MONTH'],
  ['DD', 'DAY'],
]);

/** A token, with or without its closing brace; the text up to the next token; a single brace. */
const pieces = /\{(?!\{)(?<inside>[^}]*)(?<close>\}?)|(?<text>(?:[^{}]|\{\{|\}\})+)|\}/gu;

/** Parses a template into its parts. @throws InvalidFormatError, UnknownTokenError, each with the position at fault */
export function parseTemplate(template: string, registry: TokenRegistry): TemplatePart[] {
  if (template.length === 0) throw new InvalidFormatError(template, 0, 'the template is empty');
  if (template.length > TEMPLATE_LENGTH_MAX) {
    const problem = `longer than ${TEMPLATE_LENGTH_MAX} characters`;
    throw new InvalidFormatError(template, TEMPLATE_LENGTH_MAX, problem);
  }
  const edge = template.search(/^ | $/);
  if (edge >= 0) {
    throw new InvalidFormatError(template, edge, 'a leading or trailing blank would be invisible');
  }
  return Array.from(template.matchAll(pieces), ({ index: position, groups = {} }): TemplatePart => {
    const { inside, close, text } = groups;
    if (text !== undefined) return { kind: 'literal', position, text: readText(template, position, text) };
    if (inside === undefined) {
      throw new InvalidFormatError(template, position, 'a single }; write }} for a literal brace');
    }
    if (!close) throw new InvalidFormatError(template, position, 'a token without a closing }');
    return readToken({ template, position, token: shortSpellings.get(inside) ?? inside }, registry);
  });
}

const forbidden = [
  [/[\p{C}\p{Zl}\p{Zp}]/u, 'a non-printable character'],
  [/(?! )[\p{Z}\s]/u, 'whitespace other than a plain space'],
] as const;

function readText(template: string, position: number, text: string): string {
  for (const [characters, problem] of forbidden) {
    const at = text.search(characters);
    if (at >= 0) throw new InvalidFormatError(template, position + at, problem);
  }
  if (text.normalize('NFC') !== text) {
    throw new InvalidFormatError(template, position, 'the text is not in Unicode normal form C');
  }
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

/** The text between two braces, and its position. */
interface TokenPlace {
  readonly template: string;
  readonly position: number;
  readonly token: string;
}

function readToken({ template, position, token }: TokenPlace, registry: TokenRegistry): TemplatePart {
  const [name = ''] = token.split(':', 1);
  const rest = token.slice(name.length);
  const refuse = (problem: string): never => {
    throw new InvalidFormatError(template, position + 2 + name.length, problem);
  };
  if (name === 'SEQ') {
    if (!rest) throw new InvalidFormatError(template, position, '{SEQ} needs a width, for example {SEQ:4}');
    const [, width] = widthArgument.exec(rest) ?? refuse('the width of {SEQ} must be 1 to 15');
    return { kind: 'sequence', position, width: Number(width) };
  }
  const part = dateParts.get(name) ?? registry.find(name);
  if (!part) throw new UnknownTokenError(template, position, name, registry.names);
  if ('kind' in part && part.width === 4) {
    const [, buddhist, short] = yearArguments.exec(rest) ?? refuse('a year accepts BE or CE, then 2 or 4');
    const label = `${name}${buddhist ? '_BE' : ''}${short ? '_2' : ''}`;
    const printed = { width: short ? 2 : 4, label, offset: buddhist ? BUDDHIST_OFFSET : 0 };
    return { kind: 'date', position, token: { ...part, ...printed } };
  }
  if (rest) refuse(`{${name}} accepts no arguments`);
  if ('kind' in part) return { kind: 'date', position, token: { ...part, label: name, offset: 0 } };
  return { kind: 'code', position, token: part };
}

const widthArgument = /^:([1-9]|1[0-5])$/;
const yearArguments = /^(?::(?:(BE|B\.E\.)|CE|AD|A\.D\.))?(?::(?:(2)|4))?$/;
