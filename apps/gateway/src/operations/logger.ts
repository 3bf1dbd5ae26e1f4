import { type Logger, pino } from 'pino';

/** Never written, wherever they come up: secrets, and what tells about people. */
const REDACTED = [
  'authorization',
  'token',
  'password',
  'phone',
  'pickup',
  'dropoff',
  '*.authorization',
  '*.token',
  '*.password',
  '*.phone',
  '*.pickup',
  '*.dropoff',
  'err.parameters',
  'err.query',
  'err.cause.parameters',
  'err.cause.query',
  'err.driverError.parameters',
];

/** JSON lines on standard output. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { service: 'solegate-gateway', pid: process.pid },
    redact: { paths: REDACTED, censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
