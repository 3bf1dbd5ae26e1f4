import { InvalidFormatError, UnknownTokenError } from '../contract/series-error.js';
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
 *   {FISCAL_YEAR} …           like YEAR, by the year that the fiscal year starts or ends in
 *   {MONTH}  {DAY}            two digits
 *   {ORG}  {TYPE} …           a code
 */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly position: number; readonly text: string }
  | { readonly kind: 'sequence'; readonly position: number; readonly width: number }
  | YearPart
  | { readonly kind: 'month' | 'day'; readonly position: number }
  | { readonly kind: 'code'; readonly position: number; readonly token: CodeToken };

export interface YearPart {
  readonly kind: 'year' | 'fiscal_year';
  readonly position: number;
  readonly isBuddhist: boolean;
  readonly digitCount: 2 | 4;
}

const templateLengthMax = 200;
const widthMax = 15;

/** Maps, because a template may name whatever every object has. */
const shortSpellings: ReadonlyMap<string, string> = new Map([
  ['YYYY', 'YEAR'],
  ['YY', 'YEAR:2'],
  ['MM', 'MONTH'],
  ['DD', 'DAY'],
]);
const eras: ReadonlyMap<string, boolean> = new Map([
  ['BE', true],
  ['B.E.', true],
  ['CE', false],
  ['AD', false],
  ['A.D.', false],
]);

/** Reads a template into its parts. @throws InvalidFormatError, UnknownTokenError, each with the position at fault */
export function parseTemplate(template: string, registry: TokenRegistry): TemplatePart[] {
  if (template.length === 0) throw new InvalidFormatError(template, 0, 'it is empty');
  if (template.length > templateLengthMax) {
    throw new InvalidFormatError(template, templateLengthMax, `longer than ${templateLengthMax} characters`);
  }
  const parts: TemplatePart[] = [];
  let position = 0;
  while (position < template.length) {
    const part = isTokenStart(template, position)
      ? readToken(template, position, registry)
      : readLiteral(template, position);
    parts.push(part.part);
    position = part.end;
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
    throw new InvalidFormatError(
      template,
      position,
      'a blank that looks like another one; use a plain blank',
    );
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
  switch (name) {
    case 'SEQ':
      return { kind: 'sequence', position: at.start, width: readWidth(at, args) };
    case 'YEAR':
    case 'FISCAL_YEAR':
      return readYear(at, name === 'YEAR' ? 'year' : 'fiscal_year', args);
    case 'MONTH':
    case 'DAY':
      refuseArguments(at, name, args);
      return { kind: name === 'MONTH' ? 'month' : 'day', position: at.start };
  }
  const token = registry.find(name);
  if (!token) throw new UnknownTokenError(at.template, at.start, name);
  refuseArguments(at, name, args);
  return { kind: 'code', position: at.start, token };
}

function readWidth(at: TokenPlace, args: string[]): number {
  const [width = '', ...more] = args;
  if (args.length === 0) {
    throw new InvalidFormatError(at.template, at.start, '{SEQ} needs a width, for example {SEQ:4}');
  }
  if (more.length > 0 || !/^[1-9]\d?$/.test(width) || Number(width) > widthMax) {
    throw new InvalidFormatError(at.template, at.argumentsStart, `the width of {SEQ} is 1 to ${widthMax}`);
  }
  return Number(width);
}

function readYear(at: TokenPlace, kind: YearPart['kind'], args: string[]): YearPart {
  const rest = [...args];
  const isBuddhist = eras.get(rest[0] ?? '');
  if (isBuddhist !== undefined) rest.shift();
  const digitCount = rest[0] === '2' ? 2 : 4;
  if (rest[0] === '2' || rest[0] === '4') rest.shift();
  if (rest.length > 0) {
    throw new InvalidFormatError(at.template, at.argumentsStart, 'a year takes BE or CE, then 2 or 4');
  }
  return { kind, position: at.start, isBuddhist: isBuddhist ?? false, digitCount };
}

function refuseArguments(at: TokenPlace, name: string, args: string[]): void {
  if (args.length === 0) return;
  throw new InvalidFormatError(at.template, at.argumentsStart, `{${name}} takes nothing after its name`);
}
