import type {
  ApolloServerPlugin,
  GraphQLRequestContext,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
} from '@apollo/server';
import type { FormattedExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import type { IncidentLog } from '../errors/incident-log.js';
import { httpStatusOf } from '../errors/public-code.js';
import { publicErrorOf } from '../errors/public-error.js';
import { checkAccess, operationAccess } from '../identity/operation-access.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { OperationMetrics } from '../operations/operation-metrics.js';
import type { RequestContext } from './request-context.js';

export interface OperationPluginParts {
  readonly incidents: IncidentLog;
  readonly metrics: OperationMetrics;
  readonly logger: Logger;
  /** Absent: no limit. */
  readonly rateLimiter: RateLimiter | undefined;
}

type Request = GraphQLRequestContext<RequestContext>;

/**
 * What every operation passes, in one plugin, since each hook of each plugin costs every request: roles and rate before
 * a resolver runs; then the HTTP status, one measurement and one log line.
 */
export function operationPlugin(parts: OperationPluginParts): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => new OperationListener(parts),
  };
}

class OperationListener implements GraphQLRequestListener<RequestContext> {
  private readonly startedAtMs = performance.now();
  private name = 'unread';

  constructor(private readonly parts: OperationPluginParts) {}

  async didResolveOperation({ document, operation, contextValue }: Request): Promise<void> {
    if (document === undefined || operation === undefined) return;
    const access = operationAccess(document, operation);
    this.name = access.name;
    checkAccess(access, contextValue.identity);
    const { identity, address } = contextValue;
    await this.parts.rateLimiter?.spend({ subject: String(identity.subjectId), address }, access.weight);
  }

  async didEncounterErrors({ errors, contextValue }: Request): Promise<void> {
    for (const error of errors ?? []) publicErrorOf(error, this.parts.incidents, contextValue.requestId);
  }

  async willSendResponse({
    response,
    contextValue,
  }: GraphQLRequestContextWillSendResponse<RequestContext>): Promise<void> {
    if (response.body.kind !== 'single') return;
    const result = response.body.singleResult;
    const [first] = result.errors ?? [];
    const code = first?.extensions?.code;
    if (first !== undefined) {
      response.http.status = hasAnswer(result)
        ? 200
        : (httpStatusOf(code) ?? refusalOf(response.http.status));
      const retryAfterMs = first.extensions?.retryAfterMs;
      if (typeof retryAfterMs === 'number') {
        response.http.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
      }
    }
    this.#report(contextValue.requestId, first?.extensions);
  }

  #report(requestId: string, refusal: Readonly<Record<string, unknown>> | undefined): void {
    const durationMs = performance.now() - this.startedAtMs;
    this.parts.metrics.observe(this.name, String(refusal?.code ?? 'OK'), durationMs);
    const { logger } = this.parts;
    if (!logger.isLevelEnabled('info')) return;
    const { code, reason, incidentId } = refusal ?? {};
    logger.info({ requestId, operation: this.name, durationMs, code, reason, incidentId }, 'operation');
  }
}

/** Apollo leaves 500 where a plugin refused, and nothing where a resolver did. */
function refusalOf(status: number | undefined): number {
  return status === undefined || status >= 500 ? 400 : status;
}

/** Whether anything of what was asked came back; then the errors belong to parts of the answer. */
function hasAnswer({ data }: FormattedExecutionResult): boolean {
  return data !== null && data !== undefined && Object.values(data).some((field) => field !== null);
}
