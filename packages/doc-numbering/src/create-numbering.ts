import { randomUUID } from 'node:crypto';
import { assignNumber, skipNumbers } from './assign-number.js';
import { checkText, checkWhole } from './check-request.js';
import { CounterLocks } from './counter-locks.js';
import { defineSeries } from './define-series.js';
import { exportCsv } from './export-csv.js';
import { importNumbers } from './import-numbers.js';
import { issueInSession } from './issue-in-session.js';
import { type IssueOptions, NumberIssuer } from './issue-number.js';
import { IssueQueue } from './issue-queue.js';
import type { IssuedNumber, IssueRequest } from './issue-request.js';
import { toIssuedNumbers, toReservation } from './issued-number.js';
import { listCounters } from './list-counters.js';
import { listEvents } from './list-events.js';
import { findNumber, findNumbersById, listNumbers } from './list-numbers.js';
import { listSeries } from './list-series.js';
import type { Numbering } from './numbering.js';
import type { NumberingOptions } from './numbering-options.js';
import { previewNumber } from './preview-number.js';
import { readNumber } from './read-number.js';
import { reconcile } from './reconcile.js';
import { RequestResolver } from './request-resolver.js';
import { cancelReservation, confirmReservation, expireReservations } from './reservations.js';
import { listFormats, saveFormat } from './save-format.js';
import { SeriesCatalog } from './series-catalog.js';
import { type Settings, toSettings } from './settings.js';
import type { SqlPool, SqlSession } from './sql-session.js';
import { TokenRegistry } from './token.js';
import { toldStore } from './told-store.js';
import { voidAndReplace, voidNumber } from './void-number.js';
import { WriterDesk } from './writer-desk.js';

const holdMsDefault = 300_000;
const holdMsRange = [1000, 31_536_000_000] as const;
const expiryMaxDefault = 10_000;

/** Puts the parts of one numbering together. @throws InvalidRequestError for an option out of range */
export function createNumbering(options: NumberingOptions): Numbering {
  const parts = assemble(options);
  return {
    ...issuing(parts),
    ...lifeOfNumbers(parts),
    ...definitions(parts),
    ...queries(parts),
    close: async () => {
      await parts.issuer.close();
      parts.locks?.close();
    },
  };
}

interface Parts {
  /** For statements that read, and for those that change something, outside of the queue. */
  readonly asking: SqlPool;
  readonly changing: SqlPool;
  readonly settings: Settings;
  readonly registry: TokenRegistry;
  readonly catalog: SeriesCatalog;
  readonly resolver: RequestResolver;
  readonly locks: CounterLocks | undefined;
  readonly writers: WriterDesk;
  readonly queue: IssueQueue;
  readonly issuer: NumberIssuer;
}

function assemble(options: NumberingOptions): Parts {
  const { database } = options;
  const settings = toSettings(options);
  const registry = new TokenRegistry(options.tokens);
  const [asking, changing] = [toldStore(database, 'asks'), toldStore(database, 'changes')];
  const catalog = new SeriesCatalog({ database, registry, ...settings });
  const resolver = new RequestResolver({ catalog, registry, codes: options.codes, now: settings.now });
  const locks = options.redis && new CounterLocks({ ...options.redis, ...settings });
  const writers = new WriterDesk({ database, ...settings });
  const queue = new IssueQueue({ database, ...settings, locks, writers });
  const issuer = new NumberIssuer({ resolver, queue, database: asking });
  return { asking, changing, settings, registry, catalog, resolver, locks, writers, queue, issuer };
}

async function issueOne(
  { issuer }: Parts,
  request: IssueRequest,
  issue: IssueOptions = {},
): Promise<IssuedNumber> {
  const { address, drawn } = await issuer.issue(request, issue);
  const [issued] = toIssuedNumbers(address, drawn);
  if (!issued) throw new Error('a request for one number was answered with none');
  return issued;
}

function issueIn(parts: Parts, session: SqlSession, request: IssueRequest): Promise<IssuedNumber> {
  const { resolver, queue, settings } = parts;
  return issueInSession(session, request, {
    ...settings,
    resolver,
    highWaterMarkOf: (address) => queue.line(address).highWaterMark,
  });
}

type Issuing = Pick<Numbering, 'issue' | 'issueMany' | 'issueIn' | 'registerWriter' | 'reserve' | 'preview'>;

function issuing(parts: Parts): Issuing {
  const { asking, issuer, resolver, writers } = parts;
  return {
    issue: (request) => issueOne(parts, request),
    issueMany: async (request, count) => {
      const { address, drawn } = await issuer.issue(request, { count });
      return toIssuedNumbers(address, drawn);
    },
    issueIn: (session, request) => issueIn(parts, session, request),
    registerWriter: (name, write) => {
      writers.register(checkText('name', name, 100), write);
      return {
        issue: (request, document) => issueOne(parts, request, { attached: { writer: name, document } }),
      };
    },
    reserve: async ({ holdMs = holdMsDefault, ...request }) => {
      const reservation = { token: randomUUID(), holdMs: checkWhole('holdMs', holdMs, holdMsRange) };
      const { address, drawn } = await issuer.issue(request, { reservation });
      return toReservation(address, drawn);
    },
    preview: (address) => previewNumber(asking, address, resolver),
  };
}

type LifeOfNumbers = Pick<
  Numbering,
  | 'confirm'
  | 'cancel'
  | 'expireReservations'
  | 'void'
  | 'voidAndReplace'
  | 'assign'
  | 'skipTo'
  | 'importNumbers'
>;

function lifeOfNumbers(parts: Parts): LifeOfNumbers {
  const { changing: database, resolver, registry } = parts;
  return {
    confirm: async (request) => confirmReservation(database, request),
    cancel: async (request) => cancelReservation(database, request),
    expireReservations: ({ countMax = expiryMaxDefault } = {}) => expireReservations(database, countMax),
    void: async (request) => voidNumber(database, request),
    voidAndReplace: async (request) =>
      voidAndReplace(database, request, (session, replacement) => issueIn(parts, session, replacement)),
    assign: (request) => assignNumber(request, { database, resolver }),
    skipTo: (request) => skipNumbers(request, { database, resolver }),
    importNumbers: (request) => importNumbers(request, { database, resolver, registry }),
  };
}

type Definitions = Pick<Numbering, 'defineSeries' | 'listSeries' | 'saveFormat' | 'listFormats' | 'parse'>;

function definitions({ asking, changing, registry, resolver, catalog, settings }: Parts): Definitions {
  const { now } = settings;
  return {
    defineSeries: async (definition) => defineSeries(changing, definition, registry),
    listSeries: (filter) => listSeries(asking, filter),
    saveFormat: async (request) => {
      const fixedCodes: RequestResolver['fixedCodes'] = (series) => resolver.fixedCodes(series);
      return saveFormat(request, { database: changing, registry, now, fixedCodes });
    },
    listFormats: (filter) => listFormats(asking, filter),
    parse: async ({ space, series, number }) => {
      const entry = await catalog.get(checkText('space', space, 100), checkText('series', series, 50));
      const fixedCodes = await resolver.fixedCodes(entry.series);
      for (const format of entry.formats) {
        const read = readNumber({ format, series: entry.series, fixedCodes }, number);
        if (read) return { ...read, number, series, formatVersion: format.facts.version };
      }
      return undefined;
    },
  };
}

type Queries = Pick<
  Numbering,
  'findNumber' | 'findNumbersById' | 'listNumbers' | 'listCounters' | 'listEvents' | 'exportCsv' | 'reconcile'
>;

function queries({ asking, changing, locks }: Parts): Queries {
  return {
    findNumber: (query) => findNumber(asking, query),
    findNumbersById: (ids) => findNumbersById(asking, ids),
    listNumbers: (filter, page) => listNumbers(asking, filter, page),
    listCounters: (filter, page) => listCounters(asking, filter, page),
    listEvents: (filter, page) => listEvents(asking, filter, page),
    exportCsv: (filter) => exportCsv(asking, filter),
    reconcile: (request = {}) => reconcile(changing, request, locks),
  };
}
