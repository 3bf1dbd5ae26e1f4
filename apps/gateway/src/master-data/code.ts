/*
 * Codes are printed in document numbers and read by people, so no two codes look alike. A code is stored in NFC, uses
 * one script, and has no character that only looks like another (fullwidth forms, ligatures, Roman numerals). Cyrillic
 * and Greek share most capitals with Latin: a code in one of them needs a letter that looks like no Latin letter.
 */

/** What a number can be printed with. Stored codes need not meet the stricter rules for new ones. */
const ANY_CODE = /^[\p{L}\p{M}\p{N}._]{1,20}$/u;
/** ASCII and the further letters of languages written in Latin script, without phonetic letters. */
const LATIN =
  /^[0-9A-Za-z._\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u0130\u0134-\u017E\u01A0\u01A1\u01AF\u01B0\u1EA0-\u1EF9]+$/u;
/** Scripts whose letters are not mistaken for those of another. */
const OTHERS = [
  /^[0-9._\p{Script=Thai}]+$/u,
  /^[0-9._\p{Script=Lao}]+$/u,
  /^[0-9._\p{Script=Khmer}]+$/u,
  /^[0-9._\p{Script=Myanmar}]+$/u,
  /^[0-9._\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
  /^[0-9._\p{Script=Hangul}]+$/u,
  /^[0-9._\p{Script=Arabic}]+$/u,
  /^[0-9._\p{Script=Hebrew}]+$/u,
  /^[0-9._\p{Script=Devanagari}]+$/u,
];
/** Each needs a letter that does not look Latin or, for Greek, Cyrillic. */
const CYRILLIC = /^(?=.*[БДЖЗИЙЛЦЧШЩЪЫЬЭЮЯбвгджзийклмнптцчшщъыьэюя])[0-9._\u0400-\u045F]+$/u;
const GREEK = /^(?=.*[ΔΘΞΣΨΩΛδζθλξπσςφψω])[0-9._\u0386-\u03CE]+$/u;
const SCRIPTS = [LATIN, ...OTHERS, CYRILLIC, GREEK];

/** A number character that is not an ASCII digit. */
const OTHER_DIGIT = /(?![0-9])\p{N}/u;

/** Whether a row with this code can exist. @param code in NFC */
export function mayBeCode(code: string): boolean {
  return ANY_CODE.test(code);
}

/** Returns why a new code is refused, or undefined if it is valid. @param code in NFC */
export function faultOfCode(code: string): string | undefined {
  if (!ANY_CODE.test(code)) return 'A code must have 1 to 20 letters, digits, dots or underscores.';
  const isPlain = code.normalize('NFKC') === code && !OTHER_DIGIT.test(code);
  if (isPlain && SCRIPTS.some((script) => script.test(code))) return undefined;
  return 'A code must use one script, without characters that look like others; use plain ones.';
}
