import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkSeriesRequest, checkWhole } from '../contract/checks.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type {
  DocumentFormat,
  Overflow,
  SaveFormatRequest,
  Series,
  WithdrawFormatRequest,
} from '../contract/series.js';
import { AmbiguousFormatError, FormatInUseError } from '../contract/series-error.js';
import { checkFormat } from '../format/check-format.js';
import type { FormatVersion } from '../format/compiled-format.js';
import { checkDate, ZoneCalendar } from '../format/period.js';
import { type NumberPlace, readAnother, type SeriesFormat } from '../format/read-number.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { appendEvents, selectRows } from '../sql/rows.js';
import {
  codesOf,
  codesOfSpace,
  listFormats,
  lockSeries,
  type SpaceFacts,
  type SpaceOptions,
  toSeriesFormats,
} from './series-catalog.js';

/** Versions that were withdrawn keep their place. */
const NEXT_VERSION = `
SELECT coalesce(max(version), 0) + 1 AS next FROM document_number_formats WHERE series_id = $1`;

const INSERT_FORMAT = `
INSERT INTO document_number_formats (series_id, version, template, overflow, valid_from, created_by, id)
VALUES ($1, $2, $3, $4, $5, $6,
  coalesce($7::bigint, nextval(pg_get_serial_sequence('document_number_formats', 'id'))))`;

const RAISE_REVISION = 'UPDATE document_number_series SET revision = revision + 1 WHERE id = $1';

export interface SaveFormatOptions extends SpaceOptions {
  readonly now: () => number;
}

type CheckedSave = Omit<SaveFormatRequest, 'id' | 'overflow'> & {
  readonly id: string | undefined;
  readonly overflow: Overflow;
};

/** Checks a template and saves it as the next version. @throws NumberingError */
export async function saveFormat(
  request: SaveFormatRequest,
  options: SaveFormatOptions,
): Promise<DocumentFormat> {
  const checked = checkSave(request);
  const codes = await codesOfSpace(checked.space, options);
  return options.call.transaction(async (session) => {
    const { all, series } = await lockSeries(session, checked.space, checked.series);
    const newest = (await listFormats(session, checked)).at(-1);
    if (newest && isSame(newest, checked)) return newest;
    const today = new ZoneCalendar(series.timeZone).dateAt(options.now());
    const validFrom = checked.validFrom ?? (newest ? today : undefined);
    const facts = { ...options, series, all, codes };
    const version = await nextVersion(session, { ...checked, validFrom }, facts);
    if (request.dryRun === true) return unsaved(checked, version, options.now());
    await store(session, { ...checked, seriesId: series.id }, version);
    const saved = (await listFormats(session, checked)).at(-1);
    if (!saved) throw new Error(`a format of series ${checked.series} was saved and is gone`);
    return saved;
  });
}

export function checkSave(request: SaveFormatRequest): CheckedSave {
  const { overflow = 'error', template, validFrom } = request;
  if (overflow !== 'error' && overflow !== 'widen') {
    throw new InvalidRequestError('overflow', 'is error or widen');
  }
  if (typeof template !== 'string') throw new InvalidRequestError('template', 'is missing; give a text');
  if (validFrom !== undefined) checkDate('validFrom', validFrom);
  checkSeriesRequest(request);
  return { ...request, overflow, id: checkId('id', request.id) };
}

const isSame = (newest: DocumentFormat, wanted: CheckedSave): boolean =>
  newest.template === wanted.template &&
  newest.overflow === wanted.overflow &&
  (wanted.validFrom === undefined || newest.validFrom === wanted.validFrom);

/** The next version of a series whose space is locked. @throws NumberingError when it does not fit what is there */
async function nextVersion(
  session: SqlSession,
  {
    space,
    template,
    overflow,
    validFrom,
  }: Pick<FormatVersion, 'template' | 'overflow' | 'validFrom'> & { space: string },
  { series, ...facts }: SpaceFacts & { readonly series: Series },
): Promise<FormatVersion> {
  const { rows } = await session.query({ text: NEXT_VERSION, values: [series.id] });
  const version = { version: (rows[0] as { next: number }).next, template, overflow, validFrom };
  const neighbours = toSeriesFormats(await listFormats(session, { space }), facts);
  const fixedCodes = codesOf(facts.codes, series);
  const format = checkFormat({ version, series, registry: facts.registry, fixedCodes, neighbours });
  await refuseTakenTexts(session, { format, series, fixedCodes });
  return version;
}

async function store(
  session: SqlSession,
  { seriesId, series, space, actor, id }: CheckedSave & { readonly seriesId: string },
  version: FormatVersion,
): Promise<void> {
  const { template, overflow, validFrom = '-infinity' } = version;
  const values = [seriesId, version.version, template, overflow, validFrom, actor, id ?? null];
  await session.query({ text: INSERT_FORMAT, values });
  await session.query({ text: RAISE_REVISION, values: [seriesId] });
  await appendEvents(session, { type: 'format_saved', space, actor, facts: { series, ...version } });
}

function unsaved(
  { space, series, actor }: CheckedSave,
  version: FormatVersion,
  nowMs: number,
): DocumentFormat {
  const createdAt = new Date(nowMs);
  return { ...version, id: '', space, series, validUntil: undefined, createdBy: actor, createdAt };
}

/** Numbers of the ledger that no format has printed, page by page in the order of their texts. */
const SELECT_FOREIGN = `
SELECT n.number, n.sequence::float8, n.period, c.dimensions::json, s.id::text AS "seriesId", s.code
FROM document_numbers_all n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id
WHERE n.space = $1 AND n.format_version IS NULL AND n.number > $2
ORDER BY n.number
LIMIT 5000`;

interface ForeignNumber extends NumberPlace {
  readonly number: string;
  readonly code: string;
}

/** Refuses a format that would one day print the text of an import, and stop its counter. @throws AmbiguousFormatError */
async function refuseTakenTexts(session: SqlSession, printing: SeriesFormat): Promise<void> {
  const { format, series } = printing;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: ForeignNumber[] = await selectRows<ForeignNumber>(session, SELECT_FOREIGN, [
      series.space,
      after,
    ]);
    const taken = rows.find((row) => readAnother(printing, row.number, row));
    if (taken) {
      throw new AmbiguousFormatError({
        template: format.facts.template,
        position: 0,
        example: taken.number,
        first: `a number of series ${series.series} to come`,
        second: `the import of ${taken.code}, sequence ${taken.sequence}`,
      });
    }
    after = rows.at(-1)?.number;
  }
}

/** The counters stay locked, so that nobody prints by it meanwhile. */
const LOCK_COUNTERS = 'SELECT FROM document_number_counters WHERE series_id = $1 ORDER BY id FOR UPDATE';

const SELECT_VERSION = `
SELECT f.withdrawn_at IS NOT NULL AS "isWithdrawn", EXISTS (
  SELECT FROM document_numbers_all n JOIN document_number_counters c ON c.id = n.counter_id
  WHERE c.series_id = $1 AND n.format_version = $2
) AS "isUsed"
FROM document_number_formats f
WHERE f.series_id = $1 AND f.version = $2`;

const WITHDRAW = `
UPDATE document_number_formats SET withdrawn_at = clock_timestamp() WHERE series_id = $1 AND version = $2`;

/** Takes a version back that has printed nothing. Repeating it does nothing. @throws FormatInUseError */
export async function withdrawFormat(call: DatabaseCall, request: WithdrawFormatRequest): Promise<void> {
  const { space, series: code, actor } = checkSeriesRequest(request);
  const version = checkWhole('version', request.version, [1, 2_147_483_647]);
  await call.transaction(async (session) => {
    const { series } = await lockSeries(session, space, code);
    await session.query({ text: LOCK_COUNTERS, values: [series.id] });
    const values = [series.id, version];
    const { rows } = await session.query({ text: SELECT_VERSION, values });
    const [found] = rows as { isWithdrawn: boolean; isUsed: boolean }[];
    if (!found) throw new InvalidRequestError('version', `the series has no format ${version}`);
    if (found.isUsed) throw new FormatInUseError(space, code, version);
    if (found.isWithdrawn) return;
    await session.query({ text: WITHDRAW, values });
    await session.query({ text: RAISE_REVISION, values: [series.id] });
    const facts = { series: code, version };
    await appendEvents(session, { type: 'format_withdrawn', space, actor, facts });
  });
}
