import type { SeriesAddress } from '@solegate/doc-numbering';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import type { DocumentSeriesInput } from './document-series.input.js';

/**
 * Resolves the counter that an input names: the project is the number space, the document type is the series, and
 * organization and discipline select the counter. Every code is looked up first, so that a wrong one takes no number.
 *
 * @throws {GatewayError} UNKNOWN_CODE
 */
export async function seriesAddressOf(
  input: DocumentSeriesInput,
  data: MasterData,
  identity: Identity,
): Promise<SeriesAddress & { fields?: Readonly<Record<string, string>> }> {
  const [project, type, organization, discipline] = await Promise.all([
    projectOf(input.projectCode, data, identity),
    data.types.get(input.typeCode),
    data.organizations.get(input.organizationCode),
    data.disciplines.get(input.disciplineCode),
  ]);
  const recipient =
    typeof input.recipientCode === 'string' ? await data.organizations.get(input.recipientCode) : undefined;
  return {
    space: String(project.id),
    series: type.code,
    dimensions: { ORG: organization.code, DISCIPLINE: discipline.code },
    otherPeriod: input.otherPeriod,
    ...(typeof input.date === 'string' && { date: input.date }),
    ...(recipient && { fields: { RECIPIENT: recipient.code } }),
  };
}
