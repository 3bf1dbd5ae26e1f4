import type { SqlSession } from '@solegate/postgres-infra';
import {
  checkId,
  checkOneOf,
  checkOptionalText,
  checkSeriesRequest,
  checkWhole,
} from '../contract/checks.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type {
  DocumentFormat,
  Overflow,
  SaveFormatRequest,
  Series,
  WithdrawFormatRequest,
} from '../contract/series.js';
import { AmbiguousFormatError, FormatInUseError } from '../contract/series-error.js';
import { checkFormat, checkTemplate } from '../format/check-format.js';
import { checkDate, ZoneCalendar } from '../format/period.js';
import { type NumberPlace, readAnother, type SeriesFormat } from '../format/read-number.js';
import type { TokenRegistry } from '../format/token.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { callFunction, selectRows } from '../sql/rows.js';
import {
  codesOf,
  codesOfSpace,
  listFormats,
  lockSeries,
  type SpaceFacts,
  type SpaceOptions,
  toSeriesFormats,
} from './series-catalog.js';

/** Withdrawn versions keep their number. */
const ADD_FORMAT = `document_number_define_v1(step => 'FORMAT', space => $1, code => $2, actor => $3, facts => $4,
  event_facts => $5, expected => NULL)`;

export interface SaveFormatOptions extends SpaceOptions {
  readonly now: () => number;
}

type CheckedSave = Omit<SaveFormatRequest, 'id' | 'overflow'> & {
  readonly id: string | undefined;
  readonly overflow: Overflow;
};

/**
 * Saves a template as the next version, checked against all stored data.
 *
 * @param isFirst whether to save it only if there is no version; otherwise, the newest is returned
 * @throws NumberingError: nothing is saved
 */
export async function saveFormat(
  request: SaveFormatRequest,
  options: SaveFormatOptions,
  isFirst = false,
): Promise<DocumentFormat> {
  const checked = checkSave(request, options.registry);
  const { space, series: code, actor, dryRun = false } = checked;
  const codes = await codesOfSpace(space, options);
  const save = async (session: SqlSession): Promise<DocumentFormat> => {
    const { all, series } = await lockSeries(session, space, code);
    const newest = (await listFormats(session, checked)).at(-1);
    if (newest && (isFirst || isSame(newest, checked))) return newest;
    const today = new ZoneCalendar(series.timeZone).dateAt(options.now());
    const from = checked.validFrom ?? (newest ? today : ALWAYS);
    const { template, description, overflow, id } = checked;
    const version = (await newestVersion(session, series)) + 1;
    const added = { template, description, overflow, valid_from: from, id };
    const facts = {
      series: code,
      version,
      template,
      description,
      overflow,
      validFrom: from === ALWAYS ? undefined : from,
    };
    const values = [space, code, actor, JSON.stringify(added), JSON.stringify(facts)];
    await callFunction(session, ADD_FORMAT, values);
    const saved = (await listFormats(session, checked)).at(-1);
    if (!saved) throw new Error(`the format just saved for series ${code} was not found`);
    const printing = await checkFormats(session, series, { ...options, all, codes }, version);
    for (const one of printing) await refuseTakenTexts(session, one);
    return dryRun ? { ...saved, id: '' } : saved;
  };
  return options.call.transaction(save, { keeps: ({ id }) => id !== '' });
}

const ALWAYS = '-infinity';

/** Versions that were withdrawn count as well. */
async function newestVersion(session: SqlSession, { id }: Series): Promise<number> {
  const text = `(SELECT coalesce(max(version), 0) FROM document_number_formats WHERE series_id = $1)`;
  return callFunction<number>(session, text, [id]);
}

/** Checks what can be checked without the series. @throws InvalidRequestError, InvalidFormatError, UnknownTokenError */
export function checkSave(request: SaveFormatRequest, registry: TokenRegistry): CheckedSave {
  const { overflow = 'error', template, validFrom } = request;
  checkOneOf('overflow', overflow, ['error', 'widen']);
  if (typeof template !== 'string') throw new InvalidRequestError('template', 'must be a string');
  if (validFrom !== undefined) checkDate('validFrom', validFrom);
  checkOptionalText('description', request.description, 1000);
  checkSeriesRequest(request);
  checkTemplate({ version: 1, template, overflow, validFrom }, registry);
  return { ...request, overflow, id: checkId('id', request.id) };
}

const isSame = (newest: DocumentFormat, wanted: CheckedSave): boolean =>
  newest.template === wanted.template &&
  newest.overflow === wanted.overflow &&
  (wanted.description === undefined || newest.description === wanted.description) &&
  (wanted.validFrom === undefined || newest.validFrom === wanted.validFrom);

/** Checks the versions of a series, starting at `from`, against all others of its space. @throws NumberingError */
export async function checkFormats(
  session: SqlSession,
  series: Series,
  facts: SpaceFacts,
  from = 1,
): Promise<SeriesFormat[]> {
  const { registry, codes } = facts;
  const fixedCodes = codesOf(codes, series);
  const formats = await listFormats(session, { space: series.space });
  const own = formats.filter((one) => one.series === series.series && one.version >= from);
  return own.map((version) => {
    const others = formats.filter((one) => one !== version);
    const neighbours = toSeriesFormats(others, facts);
    const format = checkFormat({ version, series, registry, fixedCodes, neighbours });
    return { series, format, fixedCodes };
  });
}

/** Numbers in the ledger that no format has printed, page by page in the order of their texts. */
const SELECT_FOREIGN = `
SELECT n.number, n.sequence::float8, n.period, c.dimensions::json, s.id::text AS "seriesId", s.code
FROM (
  SELECT * FROM document_numbers WHERE space = $1 AND format_version IS NULL AND number > $2 ORDER BY number LIMIT 500
) n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id
ORDER BY n.number`;

interface ForeignNumber extends NumberPlace {
  readonly number: string;
  readonly code: string;
}

/** Refuses a format that could print the text of an import and so block its counter. @throws AmbiguousFormatError */
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
        first: `a future number of series ${series.series}`,
        second: `the imported number of ${taken.code}, sequence ${taken.sequence}`,
      });
    }
    after = rows.at(-1)?.number;
  }
}

const WITHDRAW = `document_number_define_v1(step => 'WITHDRAW', space => $1, code => $2, actor => $3, facts => '{}',
  event_facts => $4, expected => $5)`;

/** Withdraws a version that has printed nothing. A repeated call does nothing. @throws FormatInUseError */
export async function withdrawFormat(call: DatabaseCall, request: WithdrawFormatRequest): Promise<void> {
  const { space, series: code, actor } = checkSeriesRequest(request);
  const version = checkWhole('version', request.version, [1, 2_147_483_647]);
  await call.lockingSeveral(async (session) => {
    await lockSeries(session, space, code);
    const values = [space, code, actor, JSON.stringify({ series: code, version }), version];
    const verdict = await callFunction<string>(session, WITHDRAW, values);
    if (verdict === 'UNKNOWN')
      throw new InvalidRequestError('version', `the series has no format version ${version}`);
    if (verdict === 'IN_USE') throw new FormatInUseError(space, code, version);
  });
}
