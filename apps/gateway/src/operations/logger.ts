import { type Logger, pino } from 'pino';

/** Redacted in every log line: secrets and personal data. */
const SECRET_FIELDS = ['authorization', 'token', 'password', 'secret', 'phone', 'pickup', 'dropoff'];
const CAUSE_DEPTH_MAX = 4;

/** The logged part of an error. Drivers attach connections, statements and personal data to theirs. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/** Creates a logger that writes JSON lines to standard output. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { service: 'solegate-gateway', pid: process.pid },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { err: (error: unknown) => loggedError(error) },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

/** Reduces an error to its loggable fields. */
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
