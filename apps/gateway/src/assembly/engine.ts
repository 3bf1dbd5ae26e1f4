import type { RedisConnection } from '@solegate/redis-infra';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { Admission } from '../budget/admission.js';
import type { HeldBytes } from '../budget/held-bytes.js';
import type { RateLimiter } from '../budget/rate-limiter.js';
import type { GatewayConfig } from '../config.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { DocumentReader } from '../execution/document-reader.js';
import { OperationRunner } from '../execution/operation-runner.js';
import { readTrustedDocuments } from '../execution/trusted-documents.js';
import type { OperationReport } from '../operations/operation-report.js';

export interface EngineOptions {
  readonly config: GatewayConfig;
  /** Counts request rates; a connection of purpose `decision`. */
  readonly redis: RedisConnection;
  readonly held: HeldBytes;
  readonly incidents: IncidentLog;
  readonly report: OperationReport;
  readonly logger: Logger;
}

/** Admits and runs operations for every transport. */
export interface Engine {
  readonly runner: OperationRunner;
  readonly admission: Admission;
  stop(): Promise<void>;
}

/** Starts the engine. @throws {ConfigurationError} for trusted documents that cannot be read */
export async function startEngine(
  schema: GraphQLSchema,
  { config, redis, held, incidents, report, logger }: EngineOptions,
): Promise<Engine> {
  const { rateLimitPerSecond, introspection, trustedDocuments, trustedDocumentsOnly: trustedOnly } = config;
  const limiter = await rateLimiterOf(redis, rateLimitPerSecond);
  const admission = new Admission(limiter);
  const reader = await DocumentReader.start(schema, { introspection, incidents, logger });
  const hasTrusted = trustedOnly || trustedDocuments !== undefined;
  const trusted = hasTrusted ? await readTrustedDocuments(trustedDocuments, reader) : new Map();
  const parts = { schema, reader, admission, trusted, trustedOnly, held, incidents, report };
  const runner = new OperationRunner(parts);
  return {
    runner,
    admission,
    stop() {
      limiter?.stop();
      return reader.stop();
    },
  };
}

async function rateLimiterOf(redis: RedisConnection, limit: number): Promise<RateLimiter | undefined> {
  if (limit === 0) return undefined;
  // Loaded on demand: these forty files are not needed without a rate limit.
  const { RateLimiter } = await import('../budget/rate-limiter.js');
  return new RateLimiter(redis, limit);
}
