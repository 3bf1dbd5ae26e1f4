import { randomUUID } from 'node:crypto';
import { BoundedDatabase, poolOf, type RetryFacts } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import { assertRedisConnection, CircuitBreaker } from '@solegate/redis-infra/calls';
import { checkText, checkWhole, toSettings } from './contract/checks.js';
import type { Numbering, NumberingOptions } from './contract/numbering.js';
import { InvalidRequestError } from './contract/numbering-error.js';
import type { IssuedNumber } from './contract/requests.js';
import type { DrawnNumbers } from './draw/draft.js';
import { NumberFeeds } from './feed/open-feed.js';
import { readNumber } from './format/read-number.js';
import { TokenRegistry } from './format/token.js';
import { BatchWriters } from './issue/batch-writers.js';
import { CounterFloors } from './issue/counter-floors.js';
import { ExpectedCommits } from './issue/expected-commits.js';
import { type IssueInOptions, issueIn } from './issue/issue-in.js';
import { NumberIssuer, previewNumber } from './issue/issue-number.js';
import { IssueQueue } from './issue/issue-queue.js';
import { MarksFromRows } from './issue/marks-from-rows.js';
import { findByNumber, findNumbersById, listNumbers } from './ledger/entries.js';
import { exportCsv } from './ledger/export-csv.js';
import { listCounters, listEvents } from './ledger/lists.js';
import { searchNumbers } from './ledger/search.js';
import { findSeals, verifyChain } from './ledger/verify-chain.js';
import { acceptRegression, assignNumber, skipNumbers } from './life/assign-number.js';
import { importNumbers } from './life/import-numbers.js';
import { reconcile } from './life/reconcile.js';
import {
  cancelReservation,
  confirmReservation,
  expireReservations,
  findReservation,
  Sweeper,
  toReservation,
} from './life/reservations.js';
import { voidAndReplace, voidNumber } from './life/void-number.js';
import { CrowdLocks } from './redis/crowd-locks.js';
import { HighWaterMarks } from './redis/high-water-marks.js';
import { RequestResolver } from './request/request-resolver.js';
import type { CounterAddress } from './request/resolved-request.js';
import { fixedCodesBy } from './series/code-lookups.js';
import { saveDefaultFormat } from './series/default-format.js';
import { defineSeries } from './series/define-series.js';
import { saveFormat, withdrawFormat } from './series/save-format.js';
import { listFormats, listSeries, SeriesCatalog } from './series/series-catalog.js';
import { type DatabaseCall, PublicCalls } from './sql/public-calls.js';

const HOLD_MS = 300_000;
const HOLD_MS_RANGE = [1000, 31_536_000_000] as const;
const COUNT_RANGE = [1, 1000] as const;
/** For calls that read or write a whole ledger. */
const BULK_TIMEOUT_MS = 600_000;
const SKIP_TIMEOUT_MS = 60_000;
const BULK_TIMEOUT_MS_RANGE = [1000, 86_400_000] as const;
/** Two unanswered calls open the Redis circuit; half a second later, one call tries again. */
const CIRCUIT = { failureMax: 2, openMs: 500 };

/** Creates a numbering on the given stores. @throws InvalidRequestError for an option out of range */
export function createNumbering(options: NumberingOptions): Numbering {
  const parts = assemble(options);
  const { calls, marks, commits, fromRows, sweeper, feeds } = parts;
  marks?.start(() => void fromRows?.raise());
  const close = async (): Promise<void> => {
    sweeper.stop();
    feeds.close();
    fromRows?.close();
    await calls.close();
    await commits?.close();
    await marks?.close();
  };
  return {
    ...issuing(parts),
    ...lifeOfNumbers(parts),
    ...definitions(parts),
    ...queries(parts),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Parts = ReturnType<typeof assemble>;

function assemble(options: NumberingOptions) {
  const settings = toSettings(options);
  const { observer, random, now, connectionMax, lock } = settings;
  const { namedStatements, redis, codes, tokens } = options;
  const onRetry = ({ attempt, failure }: RetryFacts) => observer.storeRetried?.({ attempt, error: failure });
  const pool = poolOf(options.database, (problem) => new InvalidRequestError('database', problem));
  const database = new BoundedDatabase({ pool, connectionMax, namedStatements, random, onRetry });
  const registry = new TokenRegistry(tokens);
  const catalog = new SeriesCatalog({ ...settings, database, registry });
  const resolver = new RequestResolver({ ...settings, catalog, registry, codes });
  if (redis !== undefined)
    assertRedisConnection(redis, (problem) => new InvalidRequestError('redis', problem));
  const decision = redis && { redis: redis as RedisConnection, circuit: new CircuitBreaker(CIRCUIT) };
  const marks = decision && new HighWaterMarks({ ...settings, ...decision });
  const locks = decision && lock !== 'never' ? new CrowdLocks({ ...settings, ...decision }) : undefined;
  const floors = new CounterFloors({ ...settings, database, marks });
  const writers = new BatchWriters({ ...settings, database });
  const queue = new IssueQueue({ ...settings, database, resolver, floors, marks, locks, writers });
  const issuer = new NumberIssuer({ resolver, queue });
  const known = (address: CounterAddress) => queue.counter(address);
  const calls = new PublicCalls(database, settings);
  const commits = marks && new ExpectedCommits(new PublicCalls(database, settings), marks);
  const fromRows = decision && marks && new MarksFromRows({ calls, marks, observer, redis: decision.redis });
  const feeds = new NumberFeeds({ ...settings, calls, catalog });
  const inOptions: IssueInOptions = { ...settings, resolver, floors, known, commits };
  const sweeper = new Sweeper(settings, () => calls.run((call) => expireReservations(call)));
  const ofSpace = (call: DatabaseCall) => ({
    call,
    now,
    registry,
    fixedCodes: fixedCodesBy(codes, call.deadline),
  });
  const stores = { calls, ofSpace, codes, catalog, resolver, marks, commits, fromRows };
  return { ...stores, writers, issuer, inOptions, sweeper, feeds };
}

function onlyNumber({ numbers: [issued] }: Pick<DrawnNumbers, 'numbers'>): IssuedNumber {
  if (!issued) throw new Error('a request for one number returned none');
  return issued;
}

function issuing({ calls, issuer, resolver, writers, inOptions }: Parts) {
  return {
    issue: (request) => calls.run(async (call) => onlyNumber(await issuer.issue(call, request))),
    issueMany: (request, wanted) =>
      calls.run(async (call) => {
        const count = checkWhole('count', wanted, COUNT_RANGE);
        const { numbers } = await issuer.issue(call, request, { count });
        return [...numbers];
      }),
    issueIn: (session, request) =>
      calls.run(async (call) => {
        return onlyNumber({ numbers: await issueIn(call, session, [request], inOptions) });
      }),
    issueAllIn: (session, requests) =>
      calls.run(async (call) => {
        checkWhole('requests', requests.length, [1, 100]);
        return issueIn(call, session, requests, inOptions);
      }),
    registerWriter: (name, write, options) => {
      writers.register(checkText('name', name, 100), write, options);
      return {
        issue: (request, document) =>
          calls.run(async (call) => {
            const attached = { writer: name, document };
            return onlyNumber(await issuer.issue(call, request, { attached }));
          }),
      };
    },
    reserve: ({ holdMs = HOLD_MS, ...request }) =>
      calls.run(async (call) => {
        const reservation = { token: randomUUID(), holdMs: checkWhole('holdMs', holdMs, HOLD_MS_RANGE) };
        return toReservation(await issuer.issue(call, request, { reservation }));
      }),
    preview: (address) => calls.run((call) => previewNumber(call, address, resolver)),
  } satisfies Partial<Numbering>;
}

function lifeOfNumbers(parts: Parts) {
  const { calls, inOptions, sweeper } = parts;
  const { known } = inOptions;
  return {
    confirm: (request) => calls.run((call) => confirmReservation(call, request)),
    cancel: (request) => calls.run((call) => cancelReservation(call, request)),
    expireReservations: ({ countMax } = {}) => calls.run((call) => expireReservations(call, countMax)),
    startSweeper: (request) => sweeper.start(request),
    void: (request) => calls.run((call) => voidNumber(call, request)),
    voidAndReplace: (request) => calls.run((call) => voidAndReplace(call, request, inOptions)),
    assign: (request) => calls.run((call) => assignNumber(request, { ...inOptions, call })),
    skipTo: async (request) =>
      calls.run((call) => skipNumbers(request, { ...parts, call }), bulkMs(request, SKIP_TIMEOUT_MS)),
    acceptRegression: (request) => calls.run((call) => acceptRegression(request, { ...parts, call, known })),
    importNumbers: async (request) =>
      calls.run((call) => importNumbers(request, { ...parts.ofSpace(call), ...parts }), bulkMs(request)),
  } satisfies Partial<Numbering>;
}

function definitions(parts: Parts) {
  const { calls, catalog, ofSpace } = parts;
  return {
    defineSeries: (definition) => calls.run((call) => defineSeries(definition, ofSpace(call))),
    listSeries: (filter) => calls.run((call) => listSeries(call.reading, filter)),
    saveFormat: (request) => calls.run((call) => saveFormat(request, ofSpace(call))),
    saveDefaultFormat: (request) => calls.run((call) => saveDefaultFormat(request, ofSpace(call))),
    withdrawFormat: (request) => calls.run((call) => withdrawFormat(call, request)),
    listFormats: (filter) => calls.run((call) => listFormats(call.reading, filter)),
    parse: ({ space, series, number }) =>
      calls.run(async (call) => {
        const place = [checkText('space', space, 100), checkText('series', series, 50)] as const;
        // Nothing would show that the formats in memory are out of date.
        const entry = await catalog.load(call.reading, ...place);
        const codes = await ofSpace(call).fixedCodes(entry.series);
        for (const format of entry.formats) {
          const read = readNumber({ format, series: entry.series, fixedCodes: codes }, number);
          if (read) return { ...read, number, series, formatVersion: format.facts.version };
        }
        return undefined;
      }),
  } satisfies Partial<Numbering>;
}

function queries({ calls, marks, feeds }: Parts) {
  const list: Numbering['listNumbers'] = (filter, page) =>
    calls.run((call) => listNumbers(call.reading, filter, page));
  return {
    findNumber: (query) =>
      calls.run(async (call) => {
        if ('id' in query) return (await findNumbersById(call.reading, [query.id]))[0];
        if ('token' in query) return findReservation(call.reading, query.token);
        return findByNumber(call.reading, query);
      }),
    findNumbersById: (ids) => calls.run((call) => findNumbersById(call.reading, ids)),
    listNumbers: list,
    searchNumbers: (search) => calls.run((call) => searchNumbers(call.reading, search)),
    findSeals: (numbers) => calls.run((call) => findSeals(call.reading, numbers)),
    verifyChain: async (chain, recompute, request = {}) =>
      calls.run((call) => verifyChain(call, chain, recompute, request), bulkMs(request)),
    listCounters: (filter, page) => calls.run((call) => listCounters(call.reading, filter, page)),
    listEvents: (filter, page) => calls.run((call) => listEvents(call.reading, filter, page)),
    exportCsv: (filter) => exportCsv(filter, list),
    feed: (request) => feeds.open(request),
    waitingMarkCount: () => marks?.waitingCount ?? 0,
    reconcile: async (request = {}) => calls.run((call) => reconcile(call, request, marks), bulkMs(request)),
  } satisfies Partial<Numbering>;
}

/** @throws InvalidRequestError */
const bulkMs = ({ timeoutMs }: { readonly timeoutMs?: number }, defaultMs = BULK_TIMEOUT_MS): number =>
  checkWhole('timeoutMs', timeoutMs ?? defaultMs, BULK_TIMEOUT_MS_RANGE);
