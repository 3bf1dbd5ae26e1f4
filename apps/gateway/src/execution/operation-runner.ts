import { hash } from 'node:crypto';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { badInput, forbidden, GatewayError } from '../errors/gateway-error.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { formattedErrorOf } from '../errors/public-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import { operationAccess } from '../identity/operation-access.js';
import type { OperationReport } from '../operations/operation-report.js';
import { streamTrace } from '../operations/operation-trace.js';
import type { Admission } from './admission.js';
import { type DocumentReader, DocumentRefusal } from './document-reader.js';
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.js';
import { OperationCosts, withDefaults } from './operation-cost.js';
import { type ResultStream, resultStream } from './result-stream.js';
import { SharedResults } from './shared-results.js';
import type { TrustedDocuments } from './trusted-documents.js';
import { variableFault } from './variable-faults.js';

export interface OperationRunnerParts {
  readonly schema: GraphQLSchema;
  readonly reader: DocumentReader;
  readonly admission: Admission;
  readonly trusted: TrustedDocuments;
  /** Whether only trusted documents are run. */
  readonly trustedOnly: boolean;
  readonly incidents: IncidentLog;
  readonly report: OperationReport;
}

/** An operation that is ready to run. */
export interface ReadyOperation {
  readonly document: DocumentNode;
  /** The text of the document, or the ID of a trusted one. */
  readonly text: string | undefined;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown> | undefined;
}

export type Preparation =
  | { readonly kind: 'READY'; readonly ready: ReadyOperation }
  | { readonly kind: 'REFUSED'; readonly result: FormattedExecutionResult };

/** A stream of results, or one result with the errors that prevented it. */
export type Stream = ResultStream | FormattedExecutionResult;

/** Reasons of readGraphqlRequest. */
const OF_BODY: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'TEXT',
  'VARIABLES_TOO_DEEP',
  'TOO_MANY_VALUES',
]);

/**
 * Runs every operation, over HTTP, SSE and WebSocket: parameters, document (trusted, cached or new), rate limit, roles,
 * then the executor. The caller is already authenticated. Every rejection is returned as a GraphQL response; nothing
 * is thrown.
 */
export class OperationRunner {
  readonly #costs: OperationCosts;
  readonly #shared = new SharedResults();

  constructor(private readonly parts: OperationRunnerParts) {
    this.#costs = new OperationCosts(parts.schema);
  }

  /**
   * Reads, charges and authorizes the operation in a JSON body. Returns a plain value if there was nothing to await, as
   * for a cached document.
   */
  prepare(body: unknown, context: RequestContext): Preparation | Promise<Preparation> {
    try {
      const request = readGraphqlRequest(body);
      const document = this.#known(request);
      const prepared = document ? this.#admit(document, request, context) : this.#read(request, context);
      if (!(prepared instanceof Promise)) return prepared;
      return prepared.catch((refusal: unknown) => this.#refused(refusal, context));
    } catch (refusal) {
      return this.#refused(refusal, context);
    }
  }

  /** Runs a query or a mutation. */
  async run(ready: ReadyOperation, context: RequestContext): Promise<FormattedExecutionResult> {
    return this.#format(await execute(this.#argumentsOf(ready, context)), ready, context);
  }

  /**
   * Starts a subscription. Calling `return` on the stream ends it immediately. An event that several subscriptions
   * receive is executed once for those with the same document, variables and view.
   */
  async subscribe(ready: ReadyOperation, context: RequestContext): Promise<Stream> {
    const events = await createSourceEventStream(this.#argumentsOf(ready, context));
    if (!(Symbol.asyncIterator in events)) return this.#format(events, ready, context);
    const startedAtMs = performance.now();
    const traceEnded = streamTrace(context.about.operation);
    const group = groupOf(ready, context);
    return resultStream(events[Symbol.asyncIterator](), {
      resultOf: (event) =>
        this.#shared.of(event, {
          group,
          subjectId: context.identity.subjectId,
          charge: (executionCount) => this.parts.admission.event(executionCount, context),
          make: () => this.#resultOf(event, ready, context),
        }),
      refusalOf: (error) => JSON.stringify(this.refusalOf(error, context.requestId)),
      onEnd: (eventCount) => {
        traceEnded(eventCount);
        this.parts.report.streamEnded(context, { eventCount, durationMs: performance.now() - startedAtMs });
      },
    });
  }

  async #resultOf(event: unknown, ready: ReadyOperation, context: RequestContext): Promise<string> {
    const own = context.ofEvent();
    const result = await execute({ ...this.#argumentsOf(ready, own), rootValue: event });
    return JSON.stringify(this.#format(result, ready, own));
  }

  /** Converts an error to a response. A malformed body costs a point. */
  async #refused(refusal: unknown, { address, requestId }: RequestContext): Promise<Preparation> {
    let said = refusal;
    if (refusal instanceof GatewayError && OF_BODY.has(refusal.reason)) {
      await this.parts.admission.refused(address).catch((limited: unknown) => {
        said = limited;
      });
    }
    return { kind: 'REFUSED', result: this.refusalOf(said, requestId) };
  }

  /** Returns a trusted or cached document. */
  #known({ query, documentId }: GraphqlRequest): DocumentNode | undefined {
    const { reader, trusted, trustedOnly } = this.parts;
    const document = documentId === undefined ? undefined : trusted.get(documentId);
    return document ?? (query === undefined || trustedOnly ? undefined : reader.known(query));
  }

  async #read(request: GraphqlRequest, context: RequestContext): Promise<Preparation> {
    const { reader, admission, trusted, trustedOnly } = this.parts;
    const { query } = request;
    if (query === undefined || trustedOnly) {
      await admission.refused(context.address);
      throw query === undefined ? unknownDocument(trusted.size > 0) : untrustedDocument();
    }
    const spent = await admission.reading(query, context);
    const document = await reader.read(query);
    if (document instanceof DocumentRefusal) return { kind: 'REFUSED', result: { errors: document.errors } };
    const prepared = await this.#admit(document, request, context, spent);
    reader.learn(query, document);
    return prepared;
  }

  /** @param spent points charged for reading the document */
  #admit(
    document: DocumentNode,
    { query, documentId, operationName, variables }: GraphqlRequest,
    context: RequestContext,
    spent = 0,
  ): Preparation | Promise<Preparation> {
    const operation = getOperationAST(document, operationName);
    if (!operation) throw noSuchOperation(operationName);
    const access = operationAccess(document, operation);
    const effective = withDefaults(operation, variables);
    const text = query ?? documentId;
    const ready = { document, text, operation, operationName, variables };
    const finish = (): Preparation => {
      this.#costs.check(document, operation, effective);
      return { kind: 'READY', ready };
    };
    return this.parts.admission.admit(access, effective, context, spent)?.then(finish) ?? finish();
  }

  #argumentsOf({ document, operationName, variables }: ReadyOperation, contextValue: RequestContext) {
    return {
      schema: this.parts.schema,
      document,
      contextValue,
      operationName,
      variableValues: variables,
    };
  }

  #format(
    { data, errors }: ExecutionResult,
    { operation, variables = {} }: ReadyOperation,
    context: RequestContext,
  ): FormattedExecutionResult {
    if (errors === undefined) return { data: data ?? null };
    const { incidents, schema } = this.parts;
    // Without data nothing was executed: a subscription failed to start, or the variables are invalid.
    const isUnread = data === undefined && errors.every(({ path }) => path === undefined);
    if (isUnread) return this.refusalOf(variableFault(schema, operation, variables), context.requestId);
    const formatted = errors.map((error) => {
      const { path, locations } = error.toJSON();
      const place = { ...(path && { path }), ...(locations && { locations }) };
      return formattedErrorOf(error, incidents, place, context.requestId);
    });
    return data === undefined ? { errors: formatted } : { data, errors: formatted };
  }

  /** Converts a thrown value to a response. */
  refusalOf(refusal: unknown, requestId: string): FormattedExecutionResult {
    return { errors: [formattedErrorOf(refusal, this.parts.incidents, {}, requestId)] };
  }
}

/** Two subscriptions of the same group get the same result for the same event. */
function groupOf({ text, operationName, variables }: ReadyOperation, { view }: RequestContext): string {
  return hash('sha256', JSON.stringify([text, operationName, variables, view]), 'base64url');
}

function noSuchOperation(operationName: string | undefined): GatewayError {
  return badInput(
    'NO_SUCH_OPERATION',
    operationName === undefined
      ? 'The document has several operations; select one with "operationName".'
      : 'The document has no operation with this "operationName".',
  );
}

/** Apollo clients respond to these codes by sending the text: this time, or from now on. */
function unknownDocument(hasTrusted: boolean): GatewayError {
  return new GatewayError({
    code: hasTrusted ? 'PERSISTED_QUERY_NOT_FOUND' : 'PERSISTED_QUERY_NOT_SUPPORTED',
    reason: 'DOCUMENT_UNKNOWN',
    message: 'No document is registered under this ID; register it, or send its text as "query".',
  });
}

function untrustedDocument(): GatewayError {
  return forbidden(
    'DOCUMENT_NOT_TRUSTED',
    'This gateway runs only registered documents; send the "documentId" of one.',
  );
}
