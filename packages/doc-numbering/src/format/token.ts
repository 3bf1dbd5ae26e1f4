import type { TokenDefinition } from '../contract/numbering.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { dateParts } from './period.js';

/** A token that prints a code of the app's master data. */
export interface CodeToken {
  readonly name: string;
  readonly extraCharacters: string;
  readonly lengthMax: number;
  /** The characters allowed in its codes, as a character class for the `u` flag. */
  readonly characters: string;
  readonly pattern: RegExp;
}

/** The built-in code tokens, with their other spelling and the names other systems use for the same thing. */
const builtIn: Readonly<Record<string, readonly string[]>> = {
  PROJECT: ['PROJECT_CODE'],
  ORG: ['ORG_CODE', 'ORIGINATOR', 'ORIGINATOR_CODE'],
  RECIPIENT: ['RECIPIENT_CODE'],
  TYPE: ['TYPE_CODE', 'CORR_TYPE', 'CORR_TYPE_CODE'],
  SUB_TYPE: ['SUB_TYPE_CODE'],
  DISCIPLINE: ['DISCIPLINE_CODE'],
  REVISION: ['REV'],
  AUTHORITY: ['AUTHORITY_CODE'],
};

const LENGTH_MAX = 20;

const dateAndSequenceNames = ['SEQ', 'YYYY', 'YY', 'MM', 'DD', ...dateParts.keys()];

/** The code tokens of one numbering: the built-in ones in all spellings, and the app's own. */
export class TokenRegistry {
  readonly #byName = new Map<string, CodeToken>();

  /** @throws InvalidRequestError if a definition is malformed or its name is in use */
  constructor(definitions: readonly TokenDefinition[] = []) {
    for (const name of Object.keys(builtIn)) this.#add(codeToken(name));
    for (const definition of definitions) this.#register(definition);
  }

  find(name: string): CodeToken | undefined {
    return this.#byName.get(name);
  }

  /** The tokens that a template can have, each in its first spelling. */
  get names(): readonly string[] {
    const codes = new Set(Array.from(this.#byName.values(), ({ name }) => name));
    return [...codes, ...dateParts.keys(), 'SEQ:n'];
  }

  #register({ name, extraCharacters = '', lengthMax = LENGTH_MAX }: TokenDefinition): void {
    const field = `tokens: ${name}`;
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) {
      throw new InvalidRequestError(field, 'a name consists of upper case letters, digits and _');
    }
    if (dateAndSequenceNames.includes(name)) {
      throw new InvalidRequestError(field, 'the name is that of a date or sequence token');
    }
    if (!Number.isInteger(lengthMax) || lengthMax < 1 || lengthMax > 50) {
      throw new InvalidRequestError(field, `lengthMax must be 1 to 50, not ${lengthMax}`);
    }
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(extraCharacters)) {
      throw new InvalidRequestError(field, 'extraCharacters must be printable');
    }
    const taken = this.#byName.get(name);
    if (taken && taken.name !== name) {
      throw new InvalidRequestError(field, `the name is another spelling of ${taken.name}`);
    }
    this.#add(codeToken(name, extraCharacters.normalize('NFC'), lengthMax));
  }

  #add(token: CodeToken): void {
    for (const spelling of [token.name, ...(builtIn[token.name] ?? [])]) this.#byName.set(spelling, token);
  }
}

function codeToken(name: string, extraCharacters = '', lengthMax = LENGTH_MAX): CodeToken {
  const characters = `[\\p{L}\\p{M}\\p{N}._${extraCharacters.replace(/[\\\]^-]/g, '\\$&')}]`;
  return { name, extraCharacters, lengthMax, characters, pattern: new RegExp(`^${characters}+$`, 'u') };
}

/** Describes what is wrong with a code; returns `undefined` if it is valid. */
export function codeProblem(token: CodeToken, code: string): string | undefined {
  if (code.length > token.lengthMax) return `is longer than ${token.lengthMax} characters`;
  if (token.pattern.test(code)) return undefined;
  const extra = token.extraCharacters && ` or one of "${token.extraCharacters}"`;
  return `contains a character other than a letter, mark, digit, ".", "_"${extra}`;
}
