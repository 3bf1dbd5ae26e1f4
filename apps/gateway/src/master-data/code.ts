/*
 * Codes are printed in document numbers and read by people, so two codes never look alike. A code is kept in NFC, is
 * written in one script, and has no character that only looks like another (fullwidth forms, ligatures, Roman numerals). Cyrillic
 * and Greek share most capitals with Latin: a code in one of them needs a letter that no Latin letter looks like.
 */

/** What a number can be printed with. Codes that older versions accepted are still found. */
const ANY_CODE = /^[\p{L}\p{M}\p{N}._]{1,20}$/u;
/** ASCII and what the languages written in Latin letters add to it, without the letters of phonetics. */
const LATIN =
  /^[0-9A-Za-z._\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u0130\u0134-\u017E\u01A0\u01A1\u01AF\u01B0\u1EA0-\u1EF9]+$/u;
/** Scripts whose letters nobody takes for those of another. */
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
/** A letter that is neither Latin nor, for Greek, Cyrillic by its looks. */
const CYRILLIC = /^(?=.*[БДЖЗИЙЛЦЧШЩЪЫЬЭЮЯбвгджзийклмнптцчшщъыьэюя])[0-9._\u0400-\u045F]+$/u;
const GREEK = /^(?=.*[ΔΘΞΣΨΩΛδζθλξπσςφψω])[0-9._\u0386-\u03CE]+$/u;
const SCRIPTS = [LATIN, ...OTHERS, CYRILLIC, GREEK];

/** Digits are those of ASCII. */
const OTHER_DIGIT = /(?![0-9])\p{N}/u;

/** Whether there can be a row with this code, given in NFC. */
export function mayBeCode(code: string): boolean {
  return ANY_CODE.test(code);
}

/** Why a new code is refused. @param code in NFC */
export function faultOfCode(code: string): string | undefined {
  if (!ANY_CODE.test(code)) return 'A code has 1 to 20 letters, digits, dots or underscores.';
  const isPlain = code.normalize('NFKC') === code && !OTHER_DIGIT.test(code);
  if (isPlain && SCRIPTS.some((script) => script.test(code))) return undefined;
  return 'A code is written in one script, in characters that look like no others; write it plainly.';
}
