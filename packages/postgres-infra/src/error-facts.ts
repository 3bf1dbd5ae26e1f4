/** What an error and those it wraps say about a failed statement. */
export interface ErrorFacts {
  /** SQLSTATE, else a code of Node or of a library; empty if there is none. */
  readonly code: string;
  readonly constraint: string | undefined;
  readonly syscall: string | undefined;
  readonly routine: string | undefined;
  readonly message: string;
}

/** Five characters of a class that PostgreSQL uses. Prisma's P2010 and Node's EPIPE are none. */
const SQLSTATE = /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;
export const isSqlState = (code: string): boolean => SQLSTATE.test(code);

/** Properties in which libraries keep the error of their driver. */
const WRAPPED = ['cause', 'original', 'driverError', 'meta', 'driverAdapterError'];
/** Properties that hold the SQLSTATE: of most drivers, of Prisma's adapters, of Bun. */
const STATE = ['code', 'originalCode', 'errno'];
const DEPTH_MAX = 8;

/** The error, then those it wraps, nearest first. */
export function chainOf(error: unknown): readonly object[] {
  const chain = new Set<object>();
  const add = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || chain.has(value) || depth > DEPTH_MAX) return;
    chain.add(value);
    for (const name of WRAPPED) add(Reflect.get(value, name), depth + 1);
  };
  add(error, 1);
  return [...chain];
}

/** Reads the error that has an SQLSTATE, else the outermost. */
export function factsOf(error: unknown): ErrorFacts {
  const chain = chainOf(error);
  const stated = chain.find((one) => stateOf(one) !== undefined) ?? chain[0];
  if (stated === undefined)
    return {
      code: '',
      constraint: undefined,
      syscall: undefined,
      routine: undefined,
      message: String(error),
    };
  const message = textOf(stated, 'originalMessage') ?? textOf(stated, 'message') ?? String(error);
  return {
    code: stateOf(stated) ?? textOf(stated, 'code') ?? '',
    constraint:
      textOf(stated, 'constraint') ??
      textOf(stated, 'constraint_name') ??
      /constraint "([^"]+)"/.exec(message)?.[1],
    syscall: textOf(stated, 'syscall'),
    routine: textOf(stated, 'routine'),
    message,
  };
}

const stateOf = (error: object): string | undefined =>
  STATE.map((name) => textOf(error, name)).find((code) => code !== undefined && isSqlState(code));

function textOf(error: object, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
