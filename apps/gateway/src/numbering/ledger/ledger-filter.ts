import type { LedgerFilter } from '@solegate/doc-numbering';
import { badInput } from '../../errors/gateway-error.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOfList } from '../../master-data/project-access.js';
import type { DocumentNumberFilter } from './ledger.inputs.js';

/**
 * What a filter asks the ledger for. An empty text is a condition that nothing meets, and never none.
 *
 * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, PROJECT_NEEDED
 */
export async function ledgerFilterOf(
  filter: DocumentNumberFilter,
  data: MasterData,
  identity: Identity,
): Promise<LedgerFilter> {
  const project = await projectOfList(filter.projectCode, data, identity);
  const { typeCode, status, period, dateFrom, dateTo, organizationCode, disciplineCode } = filter;
  const { idempotencyKey, actorId } = filter;
  if (isGiven(idempotencyKey) && project === undefined) {
    throw badInput('PROJECT_NEEDED', 'An idempotency key is one of a project; say which with "projectCode".');
  }
  return {
    ...(project && { space: String(project.id) }),
    ...(isGiven(typeCode) && { series: typeCode }),
    ...(isGiven(status) && { status }),
    ...(isGiven(period) && { period }),
    ...(isGiven(dateFrom) && { dateFrom }),
    ...(isGiven(dateTo) && { dateTo }),
    ...(isGiven(idempotencyKey) && { key: idempotencyKey }),
    ...(isGiven(actorId) && { actor: actorId }),
    dimensions: {
      ...(isGiven(organizationCode) && { ORG: organizationCode }),
      ...(isGiven(disciplineCode) && { DISCIPLINE: disciplineCode }),
    },
  };
}

/** A client may leave a condition out or send null for it. */
function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
