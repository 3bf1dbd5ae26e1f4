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
 *   {FISCAL_YEAR} …           like YEAR, by the year that the fiscal year starts or ends in, as the series says
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

/** A part of the date as a template asks for it. */
export interface DateToken extends DatePart {
  /** Its name among the parts of a number: two that print differently have two names. */
  readonly label: string;
  /** Added to what is printed: the years of the Buddhist era are 543 ahead. */
  readonly offset: number;
}

const BUDDHIST_OFFSET = 543;
const TEMPLATE_LENGTH_MAX = 200;
const WIDTH_MAX = 15;

/** Maps, because a template may name whatever every object has. */
const shortSpellings: ReadonlyMap<string, string> = new Map([
  ['YYYY', 'YEAR'],
  ['YY', 'YEAR:2'],
  ['MM', 'MONTH'],
  ['DD', 'DAY'],
]);
const eras: ReadonlyMap<string, number> = new Map([
  ['BE', BUDDHIST_OFFSET],
  ['B.E.', BUDDHIST_OFFSET],
  ['CE', 0],
  ['AD', 0],
  ['A.D.', 0],
]);

/** Reads a template into its parts. @throws InvalidFormatError, UnknownTokenError, each with the position at fault */
export function parseTemplate(template: string, registry: TokenRegistry): TemplatePart[] {
  if (template.length === 0) throw new InvalidFormatError(template, 0, 'it is empty');
  if (template.length > TEMPLATE_LENGTH_MAX) {
    const problem = `longer than ${TEMPLATE_LENGTH_MAX} characters`;
    throw new InvalidFormatError(template, TEMPLATE_LENGTH_MAX, problem);
  }
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < template.length) {
    const isToken = isTokenStart(template, position);
    const read = isToken ? readToken(template, position, registry) : readLiteral(template, position);
    parts.push(read.part);
    position = read.end;
  }
  return parts;
}

interface ReadPart {
  readonly part: TemplatePart;
  readonly end: number;
}

const isTokenStart = (template: string, position: number): boolean =>
  template[position] === '{' && template[position + 1] !== '{';

function readLiteral(template: string, start: number): ReadPart {
  let text = '';
  let position = start;
  while (position < template.length && !isTokenStart(template, position)) {
    const character = String.fromCodePoint(template.codePointAt(position) ?? 0);
    const isBrace = character === '{' || character === '}';
    if (isBrace && template[position + 1] !== character) {
      throw new InvalidFormatError(template, position, 'a lone }; write }} for a brace in the text');
    }
    checkLiteral(template, position, character);
    text += character;
    position += isBrace ? 2 : character.length;
  }
  if (text.normalize('NFC') !== text) {
    throw new InvalidFormatError(template, start, 'the text is not in Unicode normal form C');
  }
  return { part: { kind: 'literal', position: start, text }, end: position };
}

function checkLiteral(template: string, position: number, character: string): void {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(character)) {
    throw new InvalidFormatError(template, position, 'a character that cannot be printed');
  }
  if (/[\p{Z}\s]/u.test(character) && character !== ' ') {
    throw new InvalidFormatError(template, position, 'a blank that only looks like one; use a plain one');
  }
  const isAtEdge = position === 0 || position === template.length - 1;
  if (isAtEdge && /\s/u.test(character)) {
    throw new InvalidFormatError(template, position, 'a blank at the edge of a number cannot be seen');
  }
}

function readToken(template: string, start: number, registry: TokenRegistry): ReadPart {
  const close = template.indexOf('}', start);
  if (close < 0) throw new InvalidFormatError(template, start, 'a token without its closing }');
  const inside = template.slice(start + 1, close);
  const [name = '', ...args] = (shortSpellings.get(inside) ?? inside).split(':');
  const at: TokenPlace = { template, start, argumentsStart: start + 2 + name.length };
  return { part: toPart(at, name, args, registry), end: close + 1 };
}

interface TokenPlace {
  readonly template: string;
  readonly start: number;
  readonly argumentsStart: number;
}

function toPart(at: TokenPlace, name: string, args: string[], registry: TokenRegistry): TemplatePart {
  const position = at.start;
  if (name === 'SEQ') return { kind: 'sequence', position, width: readWidth(at, args) };
  const part = dateParts.get(name);
  if (part?.width === 4) return { kind: 'date', position, token: readYear(at, { name, part }, args) };
  const token = part ?? registry.find(name);
  if (!token) throw new UnknownTokenError(at.template, position, name);
  if (args.length > 0) {
    const problem = `{${name}} takes nothing after its name`;
    throw new InvalidFormatError(at.template, at.argumentsStart, problem);
  }
  if ('kind' in token) return { kind: 'date', position, token: { ...token, label: name, offset: 0 } };
  return { kind: 'code', position, token };
}

function readWidth(at: TokenPlace, args: string[]): number {
  const [width = '', ...more] = args;
  if (args.length === 0) {
    throw new InvalidFormatError(at.template, at.start, '{SEQ} needs a width, for example {SEQ:4}');
  }
  if (more.length > 0 || !/^[1-9]\d?$/.test(width) || Number(width) > WIDTH_MAX) {
    throw new InvalidFormatError(at.template, at.argumentsStart, `the width of {SEQ} is 1 to ${WIDTH_MAX}`);
  }
  return Number(width);
}

function readYear(
  at: TokenPlace,
  { name, part }: { readonly name: string; readonly part: DatePart },
  args: string[],
): DateToken {
  const rest = [...args];
  const era = eras.get(rest[0] ?? '');
  if (era !== undefined) rest.shift();
  const width = rest[0] === '2' ? 2 : 4;
  if (rest[0] === '2' || rest[0] === '4') rest.shift();
  if (rest.length > 0) {
    throw new InvalidFormatError(at.template, at.argumentsStart, 'a year takes BE or CE, then 2 or 4');
  }
  const label = `${name}${era ? '_BE' : ''}${width === 2 ? '_2' : ''}`;
  return { ...part, width, label, offset: era ?? 0 };
}
