import type { DefaultFormatRequest, DocumentFormat, Series } from '../contract/series.js';
import { AmbiguousFormatError } from '../contract/series-error.js';
import { afterCommit } from '../sql/public-calls.js';
import { checkSave, type SaveFormatOptions, saveFormat } from './save-format.js';
import { listSeries } from './series-catalog.js';

const SET_DEFAULT = `document_number_define_v1(step => 'DEFAULT', space => $1, code => NULL, actor => $2, facts => $3,
  event_facts => $3, expected => NULL)`;

/** @throws InvalidRequestError, InvalidFormatError, UnknownTokenError */
export async function saveDefaultFormat(
  request: DefaultFormatRequest,
  options: SaveFormatOptions,
): Promise<DocumentFormat[]> {
  const { space, template, overflow, actor } = checkSave({ ...request, series: '-' }, options.registry);
  await options.call.repeat(SET_DEFAULT, [space, actor, JSON.stringify({ template, overflow })]);
  return inheritAll(space, actor, options).catch(afterCommit);
}

async function inheritAll(
  space: string,
  actor: string,
  options: SaveFormatOptions,
): Promise<DocumentFormat[]> {
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
  if (!wanted) return [];
  try {
    const saved = await saveFormat({ ...wanted, space, series, actor }, options, true);
    // Another can have been saved meanwhile.
    return saved.template === wanted.template ? [saved] : [];
  } catch (error) {
    // Its numbers could be mistaken for those of another counter: it needs its own format.
    if (error instanceof AmbiguousFormatError) return [];
    throw error;
  }
}
