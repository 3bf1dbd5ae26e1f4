export const ROLES = ['rider', 'driver', 'clerk', 'auditor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks. Riders, drivers and actors are taken from here and never from an argument. */
export interface Identity {
  /** The TSID that stands for this person in every table; the `sub` of a token. */
  readonly subjectId: bigint;
  readonly roles: ReadonlySet<Role>;
  /** Codes of the projects whose numbers and documents the caller may use. */
  readonly projects: ReadonlySet<string> | 'ALL';
  /** When the right to ask ends, in ms since 1970; `undefined` in demo mode. */
  readonly expiresAtMs: number | undefined;
}

/** What a request or a WebSocket shows to say who it is. */
interface Credentials {
  /** The `Authorization` header or the connection parameter of that name. */
  readonly authorization: string | undefined;
  /** The `x-demo-user` header; demo mode only. */
  readonly demoUser: string | undefined;
}

/**
 * Turns credentials into an identity, or throws a GatewayError UNAUTHENTICATED. A plain value means that nothing had to
 * be awaited: most requests repeat a token that was verified a moment ago.
 */
export type Authenticate = (credentials: Credentials) => Identity | Promise<Identity>;

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
