/*
 * The SQL of a text without what PostgreSQL ignores, for its checksum.
 *
 * Outside quotes, a run of comments and white space counts as one space, and as nothing beside a parenthesis, comma or
 * semicolon, so that a comment can be added or reworded anywhere. What stands between dollar quotes is the body of a
 * function and treated likewise; a database keeps the comments that it was created with. Other quoted text is kept as it
 * is. Block comments nest. A backslash escapes only in E'…', as with standard_conforming_strings. What is never closed
 * extends to the end of the text.
 */

const BLANK = /[ \t\r\n\f\v]+|--[^\r\n]*/y;
const COMMENT_MARK = /\/\*|\*\//g;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const QUOTED = /[eE]'(?:[^'\\]|''|\\.)*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?/sy;
/** A dollar inside a word opens no quote, and an E at its end announces no escapes. */
const WORD = /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y;
const STANDS_ALONE = /^[(),;]$/;

/** Returns the text without comments, with white space reduced to what separates two words. */
export function bareText(sql: string): string {
  let text = '';
  let gap = '';
  for (let start = 0, end = 0; start < sql.length; start = end) {
    end = endOfBlank(sql, start);
    if (end > start) {
      gap = ' ';
      continue;
    }
    end = endOfToken(sql, start);
    const token = bareToken(sql.slice(start, end));
    const isNextToMark = STANDS_ALONE.test(token) || STANDS_ALONE.test(text.at(-1) ?? ';');
    text += isNextToMark ? token : gap + token;
    gap = '';
  }
  return text;
}

/** The end of the white space or comment that begins at `start`, or `start` if none does. */
function endOfBlank(sql: string, start: number): number {
  if (!sql.startsWith('/*', start)) return endOf(BLANK, sql, start) ?? start;
  let depth = 0;
  COMMENT_MARK.lastIndex = start;
  for (let mark = COMMENT_MARK.exec(sql); mark !== null; mark = COMMENT_MARK.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return COMMENT_MARK.lastIndex;
  }
  return sql.length;
}

/** A token as it counts: of a dollar quote, its delimiters around its bare text. */
function bareToken(token: string): string {
  const open = endOf(DOLLAR_QUOTE, token, 0);
  if (open === undefined) return token;
  const quote = token.slice(0, open);
  const isClosed = token.length >= 2 * open && token.endsWith(quote);
  return quote + bareText(token.slice(open, isClosed ? -open : undefined)) + (isClosed ? quote : '');
}

function endOfToken(sql: string, start: number): number {
  const open = endOf(DOLLAR_QUOTE, sql, start);
  if (open === undefined) return endOf(QUOTED, sql, start) ?? endOf(WORD, sql, start) ?? start + 1;
  const close = sql.indexOf(sql.slice(start, open), open);
  return close === -1 ? sql.length : close + open - start;
}

function endOf(pattern: RegExp, sql: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}
