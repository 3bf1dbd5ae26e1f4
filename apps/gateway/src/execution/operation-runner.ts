import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import type { Admission } from '../budget/admission.js';
import { answerTooLarge, isTooLarge } from '../budget/answer-size.js';
import type { HeldBytes } from '../budget/held-bytes.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { formattedErrorOf } from '../errors/public-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import { operationAccess } from '../identity/operation-access.js';
import type { OperationReport } from '../operations/operation-report.js';
import { streamTrace } from '../operations/operation-trace.js';
import { type DocumentReader, DocumentRefusal } from './document-reader.js';
import { noSuchOperation, unknownDocument, untrustedDocument } from './document-refusals.js';
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.js';
import { type KeptRequest, KeptRequests, keptOf } from './kept-requests.js';
import { OperationCosts, withDefaults } from './operation-cost.js';
import { type ResultStream, resultStream } from './result-stream.js';
import { groupOf, SharedResults } from './shared-results.js';
import type { TrustedDocuments } from './trusted-documents.js';
import { variableFault } from './variable-faults.js';

export interface OperationRunnerParts {
  readonly schema: GraphQLSchema;
  readonly reader: DocumentReader;
  readonly admission: Admission;
  readonly trusted: TrustedDocuments;
  /** Whether only trusted documents are run. */
  readonly trustedOnly: boolean;
  readonly held: HeldBytes;
  readonly incidents: IncidentLog;
  readonly report: OperationReport;
}

/** An operation that is ready to run. */
export interface ReadyOperation extends KeptRequest {
  /** What names this document and no other: its text, or what a trusted one is called. */
  readonly source: string;
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
  readonly #kept: KeptRequests;

  constructor(private readonly parts: OperationRunnerParts) {
    this.#costs = new OperationCosts(parts.schema);
    this.#kept = new KeptRequests(parts.held);
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
    return this.#answerOf(await execute(this.#argumentsOf(ready, context)), ready, context);
  }

  /**
   * Starts a subscription. Calling `return` on the stream ends it immediately. An event that several subscriptions
   * receive is executed once for those with the same document, variables and view. Until it ends, a subscription keeps
   * what it executes, and nothing else of its request.
   *
   * @throws {GatewayError} TOO_MANY_BYTES
   */
  async subscribe(ready: ReadyOperation, context: RequestContext): Promise<Stream> {
    const kept = keptOf(ready);
    const group = groupOf(ready.source, kept, context);
    const release = this.#kept.keep(kept, context.address);
    const events = await this.#eventsOf(kept, context).catch((error: unknown) => {
      release();
      throw error;
    });
    if (!(Symbol.asyncIterator in events)) {
      release();
      return this.#format(events, kept, context);
    }
    const startedAtMs = performance.now();
    const traceEnded = streamTrace(context.about.operation);
    return resultStream(events[Symbol.asyncIterator](), {
      resultOf: (event) =>
        this.#shared.of(event, {
          group,
          subjectId: context.identity.subjectId,
          charge: (executionCount) => this.parts.admission.event(executionCount, context),
          make: () => this.#resultOf(event, kept, context),
        }),
      refusalOf: (error) => JSON.stringify(this.refusalOf(error, context.requestId)),
      onEnd: (eventCount) => {
        release();
        traceEnded(eventCount);
        this.parts.report.streamEnded(context, { eventCount, durationMs: performance.now() - startedAtMs });
      },
    });
  }

  async #eventsOf(kept: KeptRequest, context: RequestContext) {
    return createSourceEventStream(this.#argumentsOf(kept, context));
  }

  async #resultOf(event: unknown, kept: KeptRequest, context: RequestContext): Promise<string> {
    const own = context.ofEvent();
    const result = await execute({ ...this.#argumentsOf(kept, own), rootValue: event });
    return JSON.stringify(this.#answerOf(result, kept, own));
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
    { query, documentId, operationName, variables = {} }: GraphqlRequest,
    context: RequestContext,
    spent = 0,
  ): Preparation | Promise<Preparation> {
    const operation = getOperationAST(document, operationName);
    if (!operation) throw noSuchOperation(operationName);
    const access = operationAccess(document, operation);
    const effective = withDefaults(operation, variables);
    const isTrusted = documentId !== undefined && this.parts.trusted.get(documentId) === document;
    // No text begins like the name of a trusted document.
    const source = isTrusted ? `documentId ${documentId}` : (query ?? '');
    const ready = { document, source, operation, operationName, variables };
    const finish = (): Preparation => {
      this.#costs.check(document, operation, effective);
      return { kind: 'READY', ready };
    };
    return this.parts.admission.admit(access, effective, context, spent)?.then(finish) ?? finish();
  }

  #argumentsOf({ document, operationName, variables }: KeptRequest, contextValue: RequestContext) {
    return {
      schema: this.parts.schema,
      document,
      contextValue,
      operationName,
      variableValues: variables,
    };
  }

  #answerOf(result: ExecutionResult, execution: KeptRequest, context: RequestContext) {
    const answer = this.#format(result, execution, context);
    return isTooLarge(answer) ? this.refusalOf(answerTooLarge(), context.requestId) : answer;
  }

  #format(
    { data, errors }: ExecutionResult,
    { operation, variables }: KeptRequest,
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
