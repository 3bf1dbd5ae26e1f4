import type { LedgerFilter } from '@solegate/doc-numbering';
import { badInput } from '../../errors/gateway-error.js';
import { given } from '../../graphql/given.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOfList } from '../../master-data/project-access.js';
import type { DocumentNumberFilter } from './ledger.inputs.js';

/**
 * Converts an API filter to a ledger filter. An empty text is a condition that matches nothing, not a missing one.
 *
 * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, PROJECT_NEEDED
 */
export async function ledgerFilterOf(
  filter: DocumentNumberFilter,
  data: MasterData,
  identity: Identity,
): Promise<LedgerFilter> {
  const { projectCode, typeCode, idempotencyKey, actorId, organizationCode, disciplineCode, ...others } =
    given(filter);
  const isAnywhere = others.number !== undefined && projectCode === undefined;
  const project = isAnywhere ? undefined : await projectOfList(projectCode, data, identity);
  if (idempotencyKey !== undefined && project === undefined) {
    throw badInput(
      'PROJECT_NEEDED',
      'An idempotency key is unique within a project; give its "projectCode".',
    );
  }
  return {
    ...others,
    ...given({
      space: project && String(project.id),
      series: typeCode,
      key: idempotencyKey,
      actor: actorId,
    }),
    ...(isAnywhere && (await ownSpaces(data, identity))),
    dimensions: given({ ORG: organizationCode, DISCIPLINE: disciplineCode }),
  };
}

/** The number spaces of the caller's projects; none: all. */
export async function ownSpaces(
  data: MasterData,
  { projects }: Identity,
): Promise<Pick<LedgerFilter, 'spaces'>> {
  if (projects === 'ALL') return {};
  const own = await data.projects.findByCodes([...projects]);
  return { spaces: own.map(({ id }) => String(id)) };
}
