import type { Numbering, Series, SeriesDefinition } from '@solegate/doc-numbering';
import { notFound } from '../../errors/gateway-error.js';
import { given } from '../../graphql/given.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import type { DocumentSeriesDimension } from './document-series.input.js';

/** Dimensions of a series that is defined without any. */
const DIMENSIONS = ['ORG', 'DISCIPLINE'];

/** Returns the dimensions as given; if they are not, those of the stored series, or the default of a new one. */
export function dimensionsOf(
  dimensions: readonly DocumentSeriesDimension[] | null | undefined,
  stored: Partial<Series> = {},
): NonNullable<SeriesDefinition['dimensions']> {
  if (!dimensions) return stored.dimensions ?? DIMENSIONS;
  return dimensions.map(({ token, none }) => ({ token, ...(typeof none === 'string' && { none }) }));
}

/** A series, and the actor of the request. */
export interface SeriesReference {
  readonly space: string;
  readonly series: string;
  readonly actor: string;
}

/** @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE */
export async function seriesReferenceOf(
  { projectCode, typeCode }: { readonly projectCode: string; readonly typeCode: string },
  data: MasterData,
  identity: Identity,
): Promise<SeriesReference> {
  const [project, type] = await Promise.all([
    projectOf(projectCode, data, identity),
    data.types.get(typeCode),
  ]);
  return { space: String(project.id), series: type.code, actor: String(identity.subjectId) };
}

export async function findSeries(
  numbering: Numbering,
  { space, series }: SeriesReference,
): Promise<Series | undefined> {
  const all = await numbering.listSeries({ space });
  return all.find((one) => one.series === series);
}

/**
 * Returns the definition of a stored series, so that one rule can be changed and the others kept. If another caller
 * changes the series in the meantime, the change is refused.
 *
 * @throws {GatewayError} UNKNOWN_SERIES
 */
export async function definitionOf(
  numbering: Numbering,
  reference: SeriesReference,
): Promise<Omit<SeriesDefinition, 'id'> & { readonly expectedRevision: number }> {
  const stored = await findSeries(numbering, reference);
  if (stored === undefined) {
    throw notFound(
      'UNKNOWN_SERIES',
      'This project has no numbering for this document type; define it first.',
    );
  }
  return definitionBy(stored, { ...reference, expectedRevision: stored.revision });
}

/** The definition of a series as it is stored. */
export function definitionBy<Change>(stored: Series, change: Change) {
  const { id: _id, identity: _identity, revision: _revision, ...rules } = stored;
  // In a definition, a missing rule means "none".
  return { ...given(rules), timeZone: rules.timeZone, ...change };
}
