import { CounterLocks } from './counter-locks.js';
import { defineSeries } from './define-series.js';
import type { DocumentFormat, SaveFormatRequest } from './document-format.js';
import { issueInSession } from './issue-in-session.js';
import { NumberIssuer } from './issue-number.js';
import { IssueQueue } from './issue-queue.js';
import type { IssuedNumber, IssueRequest } from './issue-request.js';
import { toIssuedNumbers } from './issued-number.js';
import type { NumberWriter, WriteDocuments } from './number-writer.js';
import type { NumberingOptions } from './numbering-options.js';
import { RequestResolver } from './request-resolver.js';
import { saveFormat } from './save-format.js';
import type { Series, SeriesDefinition } from './series.js';
import { SeriesCatalog } from './series-catalog.js';
import type { SqlSession } from './sql-session.js';
import { TokenRegistry } from './token.js';
import { WriterDesk } from './writer-desk.js';

export function createNumbering(options: NumberingOptions) {
  const { database, events = {}, now = Date.now, random = Math.random } = options;
  const isNamed = options.namedStatements ?? true;
  const registry = new TokenRegistry(options.tokens);
  const catalog = new SeriesCatalog({ database, registry, now });
  const resolver = new RequestResolver({ catalog, registry, codes: options.codes, now });
  const writers = new WriterDesk({ database, isNamed, writerTimeoutMs: options.writerTimeoutMs ?? 5000 });
  const locks =
    options.redis &&
    new CounterLocks({
      ...options.redis,
      lockTtlMs: options.lockTtlMs ?? 3000,
      lockWaitMs: options.lockWaitMs ?? 100,
      now,
      events,
    });
  const queue = new IssueQueue({
    database,
    isNamed,
    now,
    random,
    events,
    locks,
    writers,
    batchMax: options.batchMax ?? 2000,
    requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
  });
  const issuer = new NumberIssuer({ resolver, queue, database });
  return {
    async issue(request: IssueRequest): Promise<IssuedNumber> {
      const { address, drawn } = await issuer.issue(request);
      const [issued] = toIssuedNumbers(address, drawn);
      if (!issued) throw new Error('no number');
      return issued;
    },
    async issueMany(request: IssueRequest, count: number): Promise<IssuedNumber[]> {
      const { address, drawn } = await issuer.issue(request, { count });
      return toIssuedNumbers(address, drawn);
    },
    issueIn(session: SqlSession, request: IssueRequest): Promise<IssuedNumber> {
      return issueInSession(session, request, {
        resolver,
        highWaterMarkOf: (address) => queue.line(address).highWaterMark,
        isNamed,
        now,
        events,
      });
    },
    registerWriter<Document>(name: string, write: WriteDocuments<Document>): NumberWriter<Document> {
      writers.register(name, write as WriteDocuments<unknown>);
      return {
        issue: async (request, document) => {
          const { address, drawn } = await issuer.issue(request, { attached: { writer: name, document } });
          const [issued] = toIssuedNumbers(address, drawn);
          if (!issued) throw new Error('no number');
          return issued;
        },
      };
    },
    defineSeries: (definition: SeriesDefinition): Promise<Series> =>
      defineSeries(database, definition, registry),
    saveFormat: (request: SaveFormatRequest): Promise<DocumentFormat> =>
      saveFormat(request, { database, registry, now, fixedCodes: (series) => resolver.fixedCodes(series) }),
    async close(): Promise<void> {
      await queue.close();
      locks?.close();
    },
  };
}
