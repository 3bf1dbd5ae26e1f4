import {
  type DocumentNode,
  execute,
  type FormattedExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { IncidentLog } from '../errors/incident-log.js';
import { formattedErrorOf, publicErrorOf } from '../errors/public-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Admit } from './admission.js';
import type { GraphqlRequest } from './graphql-request.js';

/** Documents that are remembered, and the longest of them in characters: at most a few megabytes. */
const DOCUMENTS_MAX = 1_000;
const TEXT_MAX = 4_000;

/**
 * Operations that Apollo has read and validated before, run without its way through hooks, hashes and heads, which costs
 * more than a small mutation itself. Admission, executor and the form of errors are the same. Whatever is refused before
 * a resolver runs (an operation that is not there, variables that do not fit) is left to Apollo, which words it.
 */
export class KnownOperations {
  readonly #documents = new Map<string, DocumentNode>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly admit: Admit,
    private readonly incidents: IncidentLog,
  ) {}

  /** The document of a text, once it was found valid. */
  learn(text: string, document: DocumentNode): void {
    if (text.length > TEXT_MAX) return;
    if (this.#documents.size >= DOCUMENTS_MAX) this.#documents.clear();
    this.#documents.set(text, document);
  }

  /** The answer, or undefined when Apollo has to give it; nothing was run then. */
  async run(request: GraphqlRequest, context: RequestContext): Promise<FormattedExecutionResult | undefined> {
    const { query, operationName, variables } = request;
    const document = this.#documents.get(query);
    const operation = document && getOperationAST(document, operationName);
    if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
    try {
      await this.admit(document, operation, context);
    } catch (refusal) {
      return { errors: [this.#told(refusal, context)] };
    }
    const { schema } = this;
    const result = await execute({
      schema,
      document,
      contextValue: context,
      ...(operationName !== undefined && { operationName }),
      ...(variables && { variableValues: variables }),
    });
    const { data, errors } = result;
    if (data === undefined) return undefined;
    if (errors === undefined) return { data };
    return { data, errors: errors.map((error) => this.#told(error, context, error.toJSON())) };
  }

  /** The first look knows the request, and the second finds its incident again. */
  #told(
    error: unknown,
    { requestId }: RequestContext,
    { path, locations }: Parameters<typeof formattedErrorOf>[2] = {},
  ) {
    publicErrorOf(error, this.incidents, requestId);
    return formattedErrorOf(error, this.incidents, {
      ...(path && { path }),
      ...(locations && { locations }),
    });
  }
}
