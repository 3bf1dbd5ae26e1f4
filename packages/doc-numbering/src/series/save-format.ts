import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkText } from '../contract/check-request.js';
import { InvalidRequestError, UnknownSeriesError } from '../contract/numbering-error.js';
import type { DocumentFormat, Overflow, SaveFormatRequest, Series } from '../contract/series.js';
import { checkFormat } from '../format/check-format.js';
import { checkDate, ZoneCalendar } from '../format/period.js';
import { appendEvents } from '../sql/append-event.js';
import {
  always,
  codesOf,
  codesOfSpace,
  type FormatRow,
  lockSpaceSeries,
  type SpaceOptions,
  selectFormatRows,
  toFormat,
  toNeighbours,
} from './space-formats.js';
import { refuseTakenTexts } from './taken-texts.js';

const insertFormat = (hasId: boolean): string => `
INSERT INTO document_number_formats (series_id, version, template, overflow, valid_from, created_by${hasId ? ', id' : ''})
VALUES ($1, $2, $3, $4, $5, $6${hasId ? ', $7' : ''})`;

const raiseRevision = 'UPDATE document_number_series SET revision = revision + 1 WHERE id = $1';

export interface SaveFormatOptions extends SpaceOptions {
  readonly now: () => number;
}

/** Checks a template and saves it as the next version. @throws NumberingError */
export async function saveFormat(
  request: SaveFormatRequest,
  options: SaveFormatOptions,
): Promise<DocumentFormat> {
  const checked = checkSave(request);
  const codes = await codesOfSpace(checked.space, options);
  return options.call.transaction(async (session) => {
    const all = await lockSpaceSeries(session, checked.space);
    const series = all.find((one) => one.series === checked.series);
    if (!series) throw new UnknownSeriesError(checked.space, checked.series);
    const formats = await selectFormatRows(session, { space: checked.space });
    const own = formats.filter(({ series_id }) => String(series_id) === series.id);
    const newest = own.at(-1);
    const today = new ZoneCalendar(series.timeZone).dateAt(options.now());
    const validFrom = checked.validFrom ?? (newest ? today : always);
    if (newest && isSame(newest, checked, request.validFrom)) return toFormat(newest);
    const version = {
      version: await nextVersion(session, series),
      template: checked.template,
      overflow: checked.overflow,
      validFrom,
    };
    const neighbours = toNeighbours(formats, all, { ...options, codes });
    const fixedCodes = codesOf(codes, series);
    const format = checkFormat({ version, series, registry: options.registry, fixedCodes, neighbours });
    await refuseTakenTexts(session, { format, series, fixedCodes });
    if (request.dryRun === true) return unsaved(checked, version, options.now());
    await store(session, { series, version, request: checked });
    const saved = (await selectFormatRows(session, checked)).at(-1);
    if (!saved) throw new Error(`format version ${version.version} was saved and is gone`);
    return toFormat(saved);
  });
}

function unsaved(
  { space, series, actor }: CheckedSave,
  { validFrom, ...version }: StoreRequest['version'],
  nowMs: number,
): DocumentFormat {
  return {
    id: '',
    space,
    series,
    ...version,
    validFrom: validFrom === always ? undefined : validFrom,
    validUntil: undefined,
    createdBy: actor,
    createdAt: new Date(nowMs),
  };
}

type CheckedSave = Omit<SaveFormatRequest, 'id' | 'overflow'> & {
  readonly id: string | undefined;
  readonly overflow: Overflow;
};

function checkSave(request: SaveFormatRequest): CheckedSave {
  const { overflow = 'error' } = request;
  if (overflow !== 'error' && overflow !== 'widen') {
    throw new InvalidRequestError('overflow', 'is error or widen');
  }
  if (typeof request.template !== 'string')
    throw new InvalidRequestError('template', 'is missing; give a text');
  return {
    space: checkText('space', request.space, 100),
    series: checkText('series', request.series, 50),
    template: request.template,
    overflow,
    actor: checkText('actor', request.actor, 200),
    id: checkId('id', request.id),
    ...(request.validFrom === undefined ? {} : { validFrom: checkDate('validFrom', request.validFrom) }),
  };
}

function isSame(newest: FormatRow, wanted: CheckedSave, validFrom: string | undefined): boolean {
  return (
    newest.template === wanted.template &&
    newest.overflow === wanted.overflow &&
    (validFrom === undefined || newest.valid_from === validFrom)
  );
}

interface StoreRequest {
  readonly series: Series;
  readonly version: { version: number; template: string; overflow: Overflow; validFrom: string };
  readonly request: CheckedSave;
}

async function store(session: SqlSession, { series, version, request }: StoreRequest): Promise<void> {
  const { id, actor, space } = request;
  const values = [series.id, version.version, version.template, version.overflow, version.validFrom, actor];
  await session.query({
    text: insertFormat(id !== undefined),
    values: id === undefined ? values : [...values, id],
  });
  await session.query({ text: raiseRevision, values: [series.id] });
  await appendEvents(session, [
    { type: 'format_saved', space, actor, facts: { series: series.series, ...version } },
  ]);
}

/** Versions that were withdrawn keep their place. */
async function nextVersion(session: SqlSession, { id }: Series): Promise<number> {
  const text =
    'SELECT coalesce(max(version), 0) + 1 AS next FROM document_number_formats WHERE series_id = $1';
  const { rows } = await session.query({ text, values: [id] });
  return (rows[0] as { next: number }).next;
}
