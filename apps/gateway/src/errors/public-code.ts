/** The HTTP status of each code. */
const HTTP_STATUS = {
  BAD_USER_INPUT: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  PERSISTED_QUERY_NOT_SUPPORTED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  FAILED_PRECONDITION: 409,
  CONTENTION: 409,
  CLIENT_LEFT: 499,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 504,
  INTERNAL_SERVER_ERROR: 500,
} as const;

/** The codes of `extensions.code`, for clients to branch on. `extensions.reason` has a more detailed code. */
export type PublicCode = keyof typeof HTTP_STATUS;

/** Returns the HTTP status of a response that contains only errors with this code. */
export function httpStatusOf(code: unknown): number | undefined {
  return typeof code === 'string' && code in HTTP_STATUS ? HTTP_STATUS[code as PublicCode] : undefined;
}
