import { hash } from 'node:crypto';
import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { IncidentLog } from '../errors/incident-log.js';
import { formattedErrorOf } from '../errors/public-error.js';
import { queryLimitRules, repetitionFault, TOKEN_MAX } from './query-limits.js';

/** A parsed document takes about 300 bytes a token, so all that are kept take about 15 MB. */
const KNOWN_TOKENS_MAX = 50_000;
/** Comments and texts are no tokens and take room too. */
const CHARACTERS_PER_TOKEN = 10;
/** Documents that were run once, by hash. */
const SEEN_MAX = 10_000;

export interface DocumentReaderOptions {
  readonly introspection: boolean;
  readonly incidents: IncidentLog;
  readonly logger: Logger;
}

/** Why a document is not run. */
export class DocumentRefusal {
  constructor(readonly errors: readonly GraphQLFormattedError[]) {}
}

interface Reading {
  document: DocumentNode | undefined;
}

/**
 * Turns the text of a document into one that may be run. Apollo Server parses and validates what is new and words what it
 * refuses; nothing else is asked of it. What is run again is kept, so that it costs nothing to read.
 *
 * A text is kept from its second run on: a client that writes values into its documents never fills the memory. Only what
 * was admitted counts as a run, so whoever is refused cannot push out what others use. The bound is on tokens, since a
 * text of 4 kB can hold half a megabyte of syntax.
 */
export class DocumentReader {
  readonly #known = new LRUCache<string, DocumentNode>({
    maxSize: KNOWN_TOKENS_MAX,
    maxEntrySize: 2 * TOKEN_MAX,
    sizeCalculation: (document, text) =>
      (document.tokenCount ?? TOKEN_MAX) + Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  });
  readonly #seen = new LRUCache<string, true>({ max: SEEN_MAX });

  private constructor(
    private readonly apollo: ApolloServer<{ reading: Reading }>,
    private readonly incidents: IncidentLog,
  ) {}

  static async start(schema: GraphQLSchema, options: DocumentReaderOptions): Promise<DocumentReader> {
    const apollo = new ApolloServer<{ reading: Reading }>({
      schema,
      introspection: options.introspection,
      hideSchemaDetailsFromClientErrors: !options.introspection,
      includeStacktraceInErrorResponses: false,
      persistedQueries: false,
      // Kept here, by tokens.
      documentStore: null,
      stopOnTerminationSignals: false,
      // Circles of fragments are refused before the rules of query-limits.ts walk through them.
      maxRecursiveSelections: true,
      parseOptions: { maxTokens: TOKEN_MAX },
      validationRules: queryLimitRules(),
      formatError: ({ locations }, error) =>
        formattedErrorOf(error, options.incidents, { ...(locations && { locations }) }),
      logger: options.logger,
      plugins: [
        readOnly,
        ApolloServerPluginCacheControlDisabled(),
        ApolloServerPluginLandingPageDisabled(),
        ApolloServerPluginUsageReportingDisabled(),
        ApolloServerPluginSchemaReportingDisabled(),
      ],
    });
    await apollo.start();
    return new DocumentReader(apollo, options.incidents);
  }

  /** A document that is kept. */
  known(text: string): DocumentNode | undefined {
    return this.#known.get(text);
  }

  /** Parses and validates. */
  async read(text: string): Promise<DocumentNode | DocumentRefusal> {
    const fault = repetitionFault(text);
    if (fault !== undefined) return new DocumentRefusal([formattedErrorOf(fault, this.incidents)]);
    const reading: Reading = { document: undefined };
    const { body } = await this.apollo.executeOperation({ query: text }, { contextValue: { reading } });
    if (reading.document !== undefined) return reading.document;
    return new DocumentRefusal(body.kind === 'single' ? (body.singleResult.errors ?? []) : []);
  }

  /** After admission: keeps the document when this is not its first run. */
  learn(text: string, document: DocumentNode): void {
    const digest = hash('sha256', text, 'base64url');
    if (this.#seen.has(digest)) this.#known.set(text, document);
    else this.#seen.set(digest, true);
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }
}

/** Takes the document over once it is valid, and answers in place of Apollo's executor. */
const readOnly: ApolloServerPlugin<{ reading: Reading }> = {
  requestDidStart: async () => ({
    validationDidStart:
      async ({ document, contextValue }) =>
      async (errors) => {
        if (errors === undefined) contextValue.reading.document = document;
      },
    responseForOperation: async () => ({
      http: { headers: new HeaderMap() },
      body: { kind: 'single', singleResult: { data: null } },
    }),
  }),
};
