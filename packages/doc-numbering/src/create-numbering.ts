import { randomUUID } from 'node:crypto';
import { BoundedDatabase } from '@solegate/postgres-infra';
import { CircuitBreaker } from '@solegate/redis-infra';
import { checkText, checkWhole } from './contract/check-request.js';
import type { IssuedNumber, IssueRequest } from './contract/issue-request.js';
import type { Numbering } from './contract/numbering.js';
import type { NumberingOptions } from './contract/options.js';
import { readNumber } from './format/read-number.js';
import { TokenRegistry } from './format/token.js';
import { BatchWriters } from './issue/batch-writers.js';
import { CounterFloors } from './issue/counter-floors.js';
import { type IssueInOptions, issueAllIn, issueIn } from './issue/issue-in.js';
import { type IssueOptions, NumberIssuer, previewNumber } from './issue/issue-number.js';
import { IssueQueue } from './issue/issue-queue.js';
import { toIssuedNumbers, toReservation } from './issue/issued-number.js';
import { exportCsv } from './ledger/export-csv.js';
import { listCounters, listEvents } from './ledger/list-counters.js';
import { findNumber, findNumbersById, listNumbers } from './ledger/list-numbers.js';
import { acceptRegression } from './life/accept-regression.js';
import { assignNumber, skipNumbers } from './life/assign-number.js';
import { importNumbers } from './life/import-numbers.js';
import { reconcile } from './life/reconcile.js';
import { cancelReservation, confirmReservation, expireReservations } from './life/reservations.js';
import { Sweeper } from './life/sweeper.js';
import { voidAndReplace, voidNumber } from './life/void-number.js';
import { CrowdLocks } from './redis/crowd-locks.js';
import { HighWaterMarks } from './redis/high-water-marks.js';
import { RequestResolver } from './request/request-resolver.js';
import { defineSeries } from './series/define-series.js';
import { saveFormat } from './series/save-format.js';
import { SeriesCatalog } from './series/series-catalog.js';
import { listSeries } from './series/series-row.js';
import { listFormats } from './series/space-formats.js';
import { withdrawFormat } from './series/withdraw-format.js';
import { toSettings } from './settings.js';
import { type DatabaseCall, PublicCalls } from './sql/public-calls.js';

const HOLD_MS = 300_000;
const HOLD_MS_RANGE = [1000, 31_536_000_000] as const;
const EXPIRY_MAX = 10_000;
/** For calls that read or write a whole ledger. */
const BULK_TIMEOUT_MS = 600_000;
const SKIP_TIMEOUT_MS = 60_000;
const BULK_TIMEOUT_MS_RANGE = [1000, 86_400_000] as const;
/** Two calls without an answer open the circuit of Redis; half a second later one call tries again. */
const CIRCUIT = { failureMax: 2, openMs: 500 };

/** Puts the parts of one numbering together. @throws InvalidRequestError for an option out of range */
export function createNumbering(options: NumberingOptions): Numbering {
  const parts = assemble(options);
  const { calls, marks, sweeper } = parts;
  return {
    ...issuing(parts),
    ...lifeOfNumbers(parts),
    ...definitions(parts),
    ...queries(parts),
    close: async () => {
      sweeper.stop();
      await calls.close();
      marks?.flush();
    },
  };
}

type Parts = ReturnType<typeof assemble>;

function assemble(options: NumberingOptions) {
  const settings = toSettings(options);
  const { events, random, now, requestTimeoutMs, connectionMax } = settings;
  const { namedStatements } = options;
  const onRetry: BoundedDatabaseRetry = ({ attempt, failure }) =>
    events.storeRetried({ attempt, error: failure });
  const database = new BoundedDatabase({
    pool: options.database,
    connectionMax,
    namedStatements,
    random,
    onRetry,
  });
  const registry = new TokenRegistry(options.tokens);
  const catalog = new SeriesCatalog({ database, registry, requestTimeoutMs, random });
  const resolver = new RequestResolver({ catalog, registry, codes: options.codes, now });
  const { marks, locks } = redisParts(options, settings);
  const floors = new CounterFloors(database, marks);
  const writers = new BatchWriters({ database, ...settings });
  const queue = new IssueQueue({ database, ...settings, floors, marks, locks, writers });
  const issuer = new NumberIssuer({ resolver, queue });
  const issueInOptions: IssueInOptions = {
    resolver,
    floors,
    known: (address) => queue.counter(address),
    now,
    events,
  };
  const calls = new PublicCalls({ database, requestTimeoutMs });
  const sweep = () => calls.run((call) => expireReservations(call, EXPIRY_MAX));
  const sweeper = new Sweeper({ sweep, random, events });
  return { calls, settings, registry, catalog, resolver, marks, writers, issuer, issueInOptions, sweeper };
}

type BoundedDatabaseRetry = NonNullable<ConstructorParameters<typeof BoundedDatabase>[0]['onRetry']>;

function redisParts(
  { redis, lock }: NumberingOptions,
  settings: ReturnType<typeof toSettings>,
): { marks?: HighWaterMarks; locks?: CrowdLocks } {
  if (!redis) return {};
  const shared = { redis: redis.decision, circuit: new CircuitBreaker(CIRCUIT), events: settings.events };
  const marks = new HighWaterMarks(shared);
  return lock === 'never' ? { marks } : { marks, locks: new CrowdLocks({ ...settings, ...shared }) };
}

async function issueOne(
  { issuer }: Parts,
  call: DatabaseCall,
  request: IssueRequest,
  issue: IssueOptions = {},
): Promise<IssuedNumber> {
  const { address, drawn } = await issuer.issue(call, request, issue);
  const [issued] = toIssuedNumbers(address, drawn);
  if (!issued) throw new Error('a request for one number was answered with none');
  return issued;
}

type Issuing = Pick<
  Numbering,
  'issue' | 'issueMany' | 'issueIn' | 'issueAllIn' | 'registerWriter' | 'reserve' | 'preview'
>;

function issuing(parts: Parts): Issuing {
  const { calls, issuer, resolver, writers, issueInOptions } = parts;
  return {
    issue: (request) => calls.run((call) => issueOne(parts, call, request)),
    issueMany: (request, count) =>
      calls.run(async (call) => {
        const { address, drawn } = await issuer.issue(call, request, { count });
        return toIssuedNumbers(address, drawn);
      }),
    issueIn: (session, request) => calls.run((call) => issueIn(call, session, request, issueInOptions)),
    issueAllIn: (session, requests) =>
      calls.run((call) => {
        checkWhole('requests', requests.length, [1, 100]);
        return issueAllIn(call, session, requests, issueInOptions);
      }),
    registerWriter: (name, write) => {
      writers.register(checkText('name', name, 100), write);
      return {
        issue: (request, document) =>
          calls.run((call) => issueOne(parts, call, request, { attached: { writer: name, document } })),
      };
    },
    reserve: ({ holdMs = HOLD_MS, ...request }) =>
      calls.run(async (call) => {
        const reservation = { token: randomUUID(), holdMs: checkWhole('holdMs', holdMs, HOLD_MS_RANGE) };
        const { address, drawn } = await issuer.issue(call, request, { reservation });
        return toReservation(address, drawn);
      }),
    preview: (address) => calls.run((call) => previewNumber(call.reading, address, resolver)),
  };
}

type LifeOfNumbers = Pick<
  Numbering,
  | 'confirm'
  | 'cancel'
  | 'expireReservations'
  | 'startSweeper'
  | 'void'
  | 'voidAndReplace'
  | 'assign'
  | 'skipTo'
  | 'acceptRegression'
  | 'importNumbers'
>;

function lifeOfNumbers({ calls, resolver, registry, marks, issueInOptions, sweeper }: Parts): LifeOfNumbers {
  return {
    confirm: (request) => calls.run((call) => confirmReservation(call, request)),
    cancel: (request) => calls.run((call) => cancelReservation(call, request)),
    expireReservations: ({ countMax = EXPIRY_MAX } = {}) =>
      calls.run((call) => expireReservations(call, countMax)),
    startSweeper: (request) => sweeper.start(request),
    void: (request) => calls.run((call) => voidNumber(call, request)),
    voidAndReplace: (request) => calls.run((call) => voidAndReplace(call, request, issueInOptions)),
    assign: (request) => calls.run((call) => assignNumber(request, { call, resolver })),
    skipTo: async (request) =>
      calls.run(
        (call) => skipNumbers(request, { call, resolver }),
        bulkTimeoutMs({ timeoutMs: request.timeoutMs ?? SKIP_TIMEOUT_MS }),
      ),
    acceptRegression: (request) =>
      calls.run((call) => acceptRegression(request, { call, resolver, marks, known: issueInOptions.known })),
    importNumbers: async (request) =>
      calls.run((call) => importNumbers(request, { call, resolver, registry }), bulkTimeoutMs(request)),
  };
}

type Definitions = Pick<
  Numbering,
  'defineSeries' | 'listSeries' | 'saveFormat' | 'withdrawFormat' | 'listFormats' | 'parse'
>;

function definitions({ calls, registry, resolver, catalog, settings }: Parts): Definitions {
  const { now } = settings;
  const fixedCodes: RequestResolver['fixedCodes'] = (series) => resolver.fixedCodes(series);
  return {
    defineSeries: (definition) =>
      calls.run((call) => defineSeries(definition, { call, registry, fixedCodes })),
    listSeries: (filter) => calls.run((call) => listSeries(call.reading, filter)),
    saveFormat: (request) => calls.run((call) => saveFormat(request, { call, registry, now, fixedCodes })),
    withdrawFormat: (request) => calls.run((call) => withdrawFormat(call, request)),
    listFormats: (filter) => calls.run((call) => listFormats(call.reading, filter)),
    parse: ({ space, series, number }) =>
      calls.run(async () => {
        const entry = await catalog.get(checkText('space', space, 100), checkText('series', series, 50));
        const codes = await resolver.fixedCodes(entry.series);
        for (const format of entry.formats) {
          const read = readNumber({ format, series: entry.series, fixedCodes: codes }, number);
          if (read) return { ...read, number, series, formatVersion: format.facts.version };
        }
        return undefined;
      }),
  };
}

type Queries = Pick<
  Numbering,
  'findNumber' | 'findNumbersById' | 'listNumbers' | 'listCounters' | 'listEvents' | 'exportCsv' | 'reconcile'
>;

function queries({ calls, marks }: Parts): Queries {
  const list: Numbering['listNumbers'] = (filter, page) =>
    calls.run((call) => listNumbers(call.reading, filter, page));
  return {
    findNumber: (query) => calls.run((call) => findNumber(call.reading, query)),
    findNumbersById: (ids) => calls.run((call) => findNumbersById(call.reading, ids)),
    listNumbers: list,
    listCounters: (filter, page) => calls.run((call) => listCounters(call.reading, filter, page)),
    listEvents: (filter, page) => calls.run((call) => listEvents(call.reading, filter, page)),
    exportCsv: (filter) => exportCsv(filter, list),
    reconcile: async (request = {}) =>
      calls.run((call) => reconcile(call, request, marks), bulkTimeoutMs(request)),
  };
}

function bulkTimeoutMs({ timeoutMs = BULK_TIMEOUT_MS }: { readonly timeoutMs?: number }): number {
  return checkWhole('timeoutMs', timeoutMs, BULK_TIMEOUT_MS_RANGE);
}
