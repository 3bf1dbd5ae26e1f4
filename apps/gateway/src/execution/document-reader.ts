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

/** Heap of a parsed document, about. */
export const TOKEN_BYTES = 300;
/** The cache takes about 15 MB. */
const KNOWN_TOKENS_MAX = 50_000;
/** Accounts for text that is not counted as tokens, such as comments and long strings. */
const CHARACTERS_PER_TOKEN = 10;
/** Selections of an operation with all its fragments; without fragments, the tokens allow fewer. */
const SELECTION_MAX = 10_000;
/** Number of documents remembered, by hash, as run once. */
const SEEN_MAX = 10_000;

export interface DocumentReaderOptions {
  readonly introspection: boolean;
  readonly incidents: IncidentLog;
  readonly logger: Logger;
}

/** The errors of a rejected document. */
export class DocumentRefusal {
  constructor(readonly errors: readonly GraphQLFormattedError[]) {}
}

interface Reading {
  document: DocumentNode | undefined;
}

/**
 * Parses and validates documents. Apollo Server handles new documents and formats its errors; it is used for nothing
 * else. Documents that are run again are cached, so that reading them costs nothing.
 *
 * A document is cached on its second run, so clients that write values into their documents do not fill the cache. Only
 * admitted operations count as runs, so rejected callers cannot evict documents that others use. The cache is bounded
 * by tokens, because a 4 kB text can parse into half a megabyte of syntax tree.
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
      // Documents are cached here, by tokens.
      documentStore: null,
      stopOnTerminationSignals: false,
      // Rejects fragment cycles, too, before the rules of query-limits.ts walk through them.
      maxRecursiveSelections: SELECTION_MAX,
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

  /** Returns a cached document. */
  known(text: string): DocumentNode | undefined {
    return this.#known.get(text);
  }

  /** Parses and validates a new document. */
  async read(text: string): Promise<DocumentNode | DocumentRefusal> {
    const fault = repetitionFault(text);
    if (fault !== undefined) return new DocumentRefusal([formattedErrorOf(fault, this.incidents)]);
    const reading: Reading = { document: undefined };
    const { body } = await this.apollo.executeOperation({ query: text }, { contextValue: { reading } });
    if (reading.document !== undefined) return reading.document;
    return new DocumentRefusal(body.kind === 'single' ? (body.singleResult.errors ?? []) : []);
  }

  /** Caches the document unless this is its first run. To be called after admission. */
  learn(text: string, document: DocumentNode): void {
    const digest = hash('sha256', text, 'base64url');
    if (this.#seen.has(digest)) this.#known.set(text, document);
    else this.#seen.set(digest, true);
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }
}

/** Captures the document once it is valid, and responds in place of Apollo's executor. */
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
