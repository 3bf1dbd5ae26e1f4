import type { Numbering, Series, SeriesDefinition } from '@solegate/doc-numbering';
import { notFound } from '../../errors/gateway-error.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';

/** What chooses the counter within a series, beside the document type. */
export const DIMENSIONS = ['ORG', 'DISCIPLINE'];

/** A series, and who speaks of it. */
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
 * What a stored series was defined with, so that one rule can change and the others stay; if somebody else changes it
 * meanwhile, the change is refused.
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
  const { id: _id, identity: _identity, revision: expectedRevision, ...rules } = stored;
  return { ...definedRules(rules), timeZone: rules.timeZone, ...reference, expectedRevision };
}

/** A rule that is not set is left out: that is how a definition says "none". */
function definedRules(rules: Partial<Series>): Partial<Omit<SeriesDefinition, 'id'>> {
  return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
}
