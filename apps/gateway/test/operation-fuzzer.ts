import type { Dice } from '@solegate/testkit';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** A value of an enum: a name in a document, a string in variables. */
class Name {
  constructor(readonly name: string) {}
  toJSON(): string {
    return this.name;
  }
}

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  '__proto__',
  'constructor',
  `'; DROP TABLE trips; --`,
  `]] redis.call('FLUSHALL') --[[`,
  `\${7*7}`,
  '%00../../etc/passwd',
  'x'.repeat(5_000),
];
/** What the demo data know, so that many operations get past their checks. */
const KNOWN = ['DEMO', 'TEAM', 'OWN', 'RFA', 'RFI', 'MEMO', 'STR', 'MEP', 'REVISION', '2026', 'r1'];
const TEMPLATES = ['{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}', '{SEQ}', '{', '{YEAR:BE}/{SEQ:99}', '{NOPE}'];
const WHOLE = [0, 1, 2, 3, 10, 100, 101, 1_001, -1, 2_147_483_647, -2_147_483_648];
const NUMBERS = [...WHOLE, 0.5, -0.1, 1e308, 9_007_199_254_740_991, 1e20];
const IDS = [
  '0',
  '1',
  '2',
  '4611686018427387904',
  '9223372036854775807',
  '18446744073709551615',
  '-1',
  '1e3',
];
const DATES = ['2026-01-01', '2025-12-31', '0000-01-01', '9999-12-31', '2026-02-30', 'infinity', 'today'];
const TIMES = ['2026-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 'now'];
const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  Int: WHOLE,
  SafeInt: NUMBERS,
  Float: NUMBERS,
  Boolean: [true, false],
  TSID: IDS,
  LocalDate: DATES,
  DateTimeISO: TIMES,
  ID: IDS,
};
const DEPTH_MAX = 4;
/** Texts of earlier answers that are kept. */
const HEARD_MAX = 300;

/**
 * Makes requests from the schema: most are valid, many have hostile or absurd values, and some are not GraphQL or not
 * JSON. Texts of earlier answers come back as arguments.
 */
export class OperationFuzzer {
  readonly #heard: string[] = [];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly dice: Dice,
  ) {}

  /** The body of the next request. */
  next(): string {
    const { dice } = this;
    const root = dice.happens(0.02)
      ? this.schema.getSubscriptionType()
      : dice.happens(0.5)
        ? this.schema.getQueryType()
        : this.schema.getMutationType();
    const declared: string[] = [];
    const variables: Record<string, unknown> = {};
    const fields = dice.sample(Object.values(root?.getFields() ?? {}), dice.pick([1, 1, 1, 2, 3]));
    const selections = fields.map((field, index) => {
      const given = field.args.flatMap(({ name, type }) => {
        if (this.#isLeftOut(type)) return [];
        const value = this.#valueOf(type, DEPTH_MAX);
        if (dice.happens(0.5)) return [`${name}: ${literal(value)}`];
        const variable = `v${Object.keys(variables).length}`;
        declared.push(`$${variable}: ${type}`);
        variables[variable] = value;
        return [`${name}: $${variable}`];
      });
      const list = given.length > 0 ? `(${given.join(', ')})` : '';
      return `a${index}: ${field.name}${list} ${this.#selectionOf(field.type, DEPTH_MAX)}`;
    });
    const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
    const query = `${root?.name.toLowerCase()} Q${head} { ${selections.join(' ')} }`;
    return this.#broken(JSON.stringify({ query: dice.happens(0.04) ? this.#torn(query) : query, variables }));
  }

  /** Keeps the texts of an answer. */
  hear(data: unknown): void {
    if (typeof data === 'string') {
      if (data.length <= 200) this.#heard.push(data);
      if (this.#heard.length > HEARD_MAX) this.#heard.splice(this.dice.between(0, HEARD_MAX), 1);
    } else if (typeof data === 'object' && data !== null) {
      for (const part of Object.values(data).slice(0, 20)) this.hear(part);
    }
  }

  #isLeftOut(type: GraphQLInputType): boolean {
    return this.dice.happens(isNonNullType(type) ? 0.005 : 0.6);
  }

  #valueOf(type: GraphQLInputType, depth: number): unknown {
    const { dice } = this;
    if (dice.happens(0.005)) return dice.pick<unknown>([null, 1, 'x', [], {}, [[null]], true]);
    if (isNonNullType(type)) return this.#valueOf(type.ofType, depth);
    if (dice.happens(0.05)) return null;
    if (isListType(type)) {
      const length = depth > 0 ? dice.pick([0, 1, 1, 2, 3, 101]) : 0;
      return Array.from({ length }, () => this.#valueOf(type.ofType, depth - 1));
    }
    if (isEnumType(type)) {
      return new Name(dice.happens(0.02) ? 'NOPE' : dice.pick(type.getValues().map(({ name }) => name)));
    }
    if (!isInputObjectType(type)) return this.#scalarOf(type);
    const fields = Object.values(type.getFields());
    const given = type.isOneOf
      ? dice.sample(fields, dice.pick([1, 1, 1, 0, 2]))
      : fields.filter((field) => !this.#isLeftOut(field.type));
    return Object.fromEntries(given.map((field) => [field.name, this.#valueOf(field.type, depth - 1)]));
  }

  #scalarOf({ name }: GraphQLNamedType): unknown {
    const { dice } = this;
    const texts = this.#heard.length > 0 ? this.#heard : KNOWN;
    const known = SCALARS[name];
    if (known !== undefined)
      return dice.happens(0.3) && name === 'TSID' ? dice.pick(texts) : dice.pick(known);
    return dice.pick(dice.pick([KNOWN, KNOWN, KNOWN, texts, texts, HOSTILE, TEMPLATES]));
  }

  #selectionOf(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (!isCompositeType(named)) return '';
    if (depth === 0) return '{ __typename }';
    const { dice } = this;
    const own = isObjectType(named) ? dice.sample(Object.values(named.getFields()), dice.between(1, 6)) : [];
    const members = isAbstractType(named) ? dice.sample([...this.schema.getPossibleTypes(named)], 3) : [];
    const parts = [
      ...own.map((field) => this.#fieldOf(field, depth)),
      ...members.map((member) => `... on ${member.name} ${this.#selectionOf(member, depth - 1)}`),
    ];
    return `{ __typename ${parts.join(' ')} }`;
  }

  #fieldOf({ name, type, args }: GraphQLField<unknown, unknown>, depth: number): string {
    const given = args.flatMap((arg) =>
      this.#isLeftOut(arg.type) ? [] : [`${arg.name}: ${literal(this.#valueOf(arg.type, 1))}`],
    );
    const list = given.length > 0 ? `(${given.join(', ')})` : '';
    return `${name}${list} ${this.#selectionOf(type, depth - 1)}`;
  }

  /** Cuts, repeats or replaces a part of the text. */
  #torn(text: string): string {
    const from = this.dice.between(0, text.length);
    const to = Math.min(text.length, from + this.dice.between(0, 12));
    const middle = this.dice.pick([
      '',
      text.slice(from, to).repeat(2),
      '}',
      '{',
      '"""',
      '@skip(if:',
      '\u0000',
      '…',
    ]);
    return text.slice(0, from) + middle + text.slice(to);
  }

  #broken(body: string): string {
    const { dice } = this;
    if (!dice.happens(0.03)) return body;
    const wrong = [
      '',
      '[]',
      'null',
      '{"query":1}',
      '{"query":"{"}',
      '{"query":"{__typename}","variables":[]}',
    ];
    return dice.pick([
      ...wrong,
      this.#torn(body),
      `[${body},${body}]`,
      '{"documentId":"x"}',
      '{"extensions":7}',
    ]);
  }
}

/** A value as it is written in a document. */
function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `${name}: ${literal(part)}`)
    .join(', ')}}`;
}
