import type { DefaultFormatRequest, DocumentFormat, Series } from '../contract/series.js';
import { AmbiguousFormatError } from '../contract/series-error.js';
import { appendEvents } from '../sql/rows.js';
import { checkSave, type SaveFormatOptions, saveFormat } from './save-format.js';
import { listSeries } from './series-catalog.js';

const UPSERT_DEFAULT = `
INSERT INTO document_number_spaces AS s (space, template, overflow) VALUES ($1, $2, $3)
ON CONFLICT (space) DO UPDATE SET template = excluded.template, overflow = excluded.overflow
WHERE (s.template, s.overflow) <> (excluded.template, excluded.overflow)`;

/** @throws InvalidRequestError, InvalidFormatError, UnknownTokenError */
export async function saveDefaultFormat(
  request: DefaultFormatRequest,
  options: SaveFormatOptions,
): Promise<DocumentFormat[]> {
  const { space, template, overflow, actor } = checkSave({ ...request, series: '-' }, options.registry);
  await options.call.transaction(async (session) => {
    const { rowCount } = await session.query({ text: UPSERT_DEFAULT, values: [space, template, overflow] });
    const facts = { template, overflow };
    if (rowCount === 1) await appendEvents(session, { type: 'default_format_saved', space, actor, facts });
  });
  const saved: DocumentFormat[] = [];
  for (const series of await listSeries(options.call.reading, { space })) {
    saved.push(...(await inheritFormat(series, actor, options)));
  }
  return saved;
}

const SELECT_DEFAULT = `
SELECT d.template, d.overflow FROM document_number_spaces d
WHERE d.space = $1 AND NOT EXISTS (SELECT FROM document_number_formats f WHERE f.series_id = $2)`;

/** Gives a series without a format the default of its space. Runs whenever it is defined, so that none is missed. */
export async function inheritFormat(
  { id, space, series }: Series,
  actor: string,
  options: SaveFormatOptions,
): Promise<DocumentFormat[]> {
  const { rows } = await options.call.reading.query({ text: SELECT_DEFAULT, values: [space, id] });
  const [wanted] = rows as Pick<DocumentFormat, 'template' | 'overflow'>[];
  try {
    return wanted ? [await saveFormat({ ...wanted, space, series, actor }, options)] : [];
  } catch (error) {
    // Its numbers could be mistaken for those of another counter: it needs its own format.
    if (error instanceof AmbiguousFormatError) return [];
    throw error;
  }
}
