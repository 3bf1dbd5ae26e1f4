import { type Logger, pino } from 'pino';

/** Never written, wherever they come up: secrets, and what is personal. */
const SECRET_FIELDS = ['authorization', 'token', 'password', 'secret', 'phone', 'pickup', 'dropoff'];
const CAUSE_DEPTH_MAX = 4;

/** What a log line says of an error. Drivers hang connections, statements and people's data on theirs. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** JSON lines on standard output. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { service: 'solegate-gateway', pid: process.pid },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { err: (error: unknown) => loggedError(error) },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

/** The error without whatever else its class carries. */
function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth < CAUSE_DEPTH_MAX && { cause: loggedError(cause, depth + 1) }),
  };
}
