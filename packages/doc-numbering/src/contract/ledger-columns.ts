/** What guarded the draw against concurrent ones: Redis lock and version check, or the counter's row lock alone. */
export type Guard = 'redis+version' | 'row';

/** States of a ledger row. `cancelled` covers ended reservations (see the event) and skipped numbers. */
export type NumberStatus = 'reserved' | 'issued' | 'cancelled' | 'void' | 'imported' | 'manual';

/** A column: TypeORM reads it as `Stored`, callers as `Read`. */
export interface Column<Stored, Read = Stored> {
  /** Of PostgreSQL. */
  readonly type: string;
  readonly collation?: 'C';
  readonly nullable?: true;
  readonly primary?: true;
  /** Default: the property in snake case. */
  readonly name?: string;
  /** What callers read it as. Default: as it is. */
  readonly cast?: 'float8' | 'json' | 'text';
  /** Never set. */
  readonly types?: readonly [Stored, Read];
}

export const big: Column<string> = { type: 'bigint', cast: 'text' };
export const whole: Column<number> = { type: 'integer' };
export const flag: Column<boolean> = { type: 'boolean' };
export const uuid: Column<string> = { type: 'uuid' };
export const date: Column<string> = { type: 'date', cast: 'text' };
export const moment: Column<Date> = { type: 'timestamptz' };
export const text: Column<string> = { type: 'text' };
export const plainText: Column<string> = { type: 'text', collation: 'C' };
export const key: Column<string> = { ...big, primary: true };

export const of = <Value>(column: Column<unknown>): Column<Value> => column as Column<Value>;
export const optional = <Stored, Read>(column: Column<Stored, Read>) =>
  ({ ...column, nullable: true }) as Column<Stored | null, Read | undefined>;

/** Name of the column that holds a property. */
export const columnOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A column of the counter (`c`) or of its series (`s`). */
const joined = <Value>(from: 'c' | 's', column: Column<unknown>) => ({ ...of<Value>(column), from });
/** Primary as a key, but read as a number. */
const counted: Column<string, number> = { type: 'bigint', cast: 'float8', primary: true };
/** A column that callers do not read. */
const internal = <Stored>(column: Column<Stored>) => ({ ...column, isInternal: true as const });

/**
 * The ledger, column by column: the SELECT list, {@link LedgerEntry}, the CSV in this order and the entity of TypeORM
 * are derived from this table.
 */
export const ledgerColumns = {
  /** As given in the request, as decimal text. */
  id: optional(big),
  /** Number space. */
  space: plainText,
  /** Code of the series. */
  series: joined<string>('s', { ...plainText, name: 'code' }),
  /** Canonical codes of the counter, token names sorted. */
  dimensions: joined<Readonly<Record<string, string>>>('c', { ...plainText, cast: 'json' }),
  /** Period of the counter, as in the result of `issue`. */
  period: plainText,
  /** Position in its counter. */
  sequence: counted,
  /** The text as printed. */
  number: plainText,
  status: of<NumberStatus>(plainText),
  /** Business date, `YYYY-MM-DD`. */
  date: { ...date, name: 'business_date' },
  /** Absent if no format printed it. */
  formatVersion: optional(whole),
  /** Reference to the document that got the number. */
  document: optional(plainText),
  /** Who took the number. */
  actor: text,
  /** Why it was taken, as its actor said; never changed. */
  reason: optional(text),
  /** The number that replaced this one when it was voided. */
  replacedBy: optional(plainText),
  /** Why it was voided; this and the next two are set if, and only if, it is void. */
  voidReason: optional(text),
  voidedBy: optional(text),
  /** By PostgreSQL's clock. */
  voidedAt: optional(moment),
  /** Idempotency key. */
  key: optional({ ...plainText, name: 'idempotency_key' }),
  /** Shared by all rows of one commit. */
  batch: optional(uuid),
  /** This and the next two can be absent if the number was recorded rather than drawn. */
  guard: optional(of<Guard>(plainText)),
  waitedMs: optional(whole),
  retryCount: optional(whole),
  /** By PostgreSQL's clock. */
  issuedAt: moment,
  /** When the reservation expires. */
  expiresAt: optional(moment),
  counterId: key,
  reservation: internal(optional(uuid)),
  batchPosition: internal(optional(whole)),
  batchHead: internal(flag),
  keyPart: internal(optional(whole)),
  fingerprint: internal(optional(plainText)),
};

type LedgerColumns = typeof ledgerColumns;
type Internal = ReturnType<typeof internal>;

/** One row of the ledger: the number, who got it, how, and what became of it. */
export type LedgerEntry = {
  readonly [Name in keyof LedgerColumns as LedgerColumns[Name] extends Internal
    ? never
    : Name]: LedgerColumns[Name] extends Column<unknown, infer Read> ? Read : never;
};
