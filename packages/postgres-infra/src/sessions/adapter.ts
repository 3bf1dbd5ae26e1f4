import type { SqlPool, SqlSession } from '../sql-session.js';

/** An object or a function of a library, of which only the shape is known. */
export type Handle = Readonly<Record<PropertyKey, unknown>>;

/** How the objects of one library are recognized and used, without importing it. */
export interface Adapter {
  /** Whether it comes from this library, in a transaction or not. */
  recognizes(handle: Handle): boolean;
  /** Runs statements in the caller's transaction; `undefined` outside one. */
  session(handle: Handle): SqlSession | undefined;
  /** The connections of the library; `undefined` if it does not give them out. */
  pool?(handle: Handle): SqlPool | undefined;
  /** What to write instead of an object that is no transaction. */
  readonly transactionLine: string;
  /** What to write instead of an object that is no pool. */
  readonly poolLine: string;
}

/** @returns the object or function behind a value, or `undefined` for any other value */
export function handleOf(value: unknown): Handle | undefined {
  const isHandle = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHandle ? (value as Handle) : undefined;
}

/** Whether all of these are methods. */
export function hasMethods(handle: Handle | undefined, ...names: readonly string[]): boolean {
  return handle !== undefined && names.every((name) => typeof handle[name] === 'function');
}

/** JSON as text: postgres.js encodes text for a placeholder of JSON once more. */
export const withTextForJson = (text: string): string =>
  text.replaceAll(/\$(\d+)::json/g, '$$$1::text::json');

/** Values as PostgreSQL itself reads them, for drivers that encode arrays, dates and objects in their own way. */
export function plainValues(values: readonly unknown[]): (string | boolean | Uint8Array | null)[] {
  return values.map((value) =>
    typeof value === 'boolean' || value instanceof Uint8Array ? value : textOf(value),
  );
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function elementOf(value: unknown): string {
  const text = textOf(value);
  if (text === null || Array.isArray(value)) return text ?? 'NULL';
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
