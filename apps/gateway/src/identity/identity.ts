export const ROLES = ['rider', 'driver', 'clerk', 'auditor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated caller. Riders, drivers and actors are always taken from here, never from an argument. */
export interface Identity {
  /** The TSID that identifies this person in every table; the `sub` of a token. */
  readonly subjectId: bigint;
  readonly roles: ReadonlySet<Role>;
  /** Codes of the projects whose numbers and documents the caller may access. */
  readonly projects: ReadonlySet<string> | 'ALL';
  /** Display name, the `name` of a token; undefined if it has none. */
  readonly name?: string | undefined;
  /** When the token expires, in ms since 1970; `undefined` in demo mode. */
  readonly expiresAtMs: number | undefined;
}

/** The credentials of a request or a WebSocket. */
interface Credentials {
  /** The `Authorization` header or the connection parameter of that name. */
  readonly authorization: string | undefined;
  /** The `x-demo-user` header; demo mode only. */
  readonly demoUser: string | undefined;
}

/**
 * Verifies credentials and returns the identity, or throws a GatewayError UNAUTHENTICATED. Returns a plain value if
 * there is nothing to await: most requests use a token that is already in the cache.
 */
export type Authenticate = (credentials: Credentials) => Identity | Promise<Identity>;

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

/** The longest delay that a Node.js timer supports. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Calls `end` when the caller's token expires, if it ever does. */
export function atExpiry(
  { expiresAtMs }: Identity,
  nowMs: number,
  end: () => void,
): NodeJS.Timeout | undefined {
  if (expiresAtMs === undefined) return undefined;
  return setTimeout(end, Math.min(expiresAtMs - nowMs, TIMER_MAX_MS));
}
