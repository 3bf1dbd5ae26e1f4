import type { LedgerFilter } from '@solegate/doc-numbering';
import { badInput } from '../../errors/gateway-error.js';
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
  const { number, typeCode, status, period, dateFrom, dateTo, organizationCode, disciplineCode } = filter;
  const { idempotencyKey, actorId, newestFirst } = filter;
  const isAnywhere = isGiven(number) && !isGiven(filter.projectCode);
  const project = isAnywhere ? undefined : await projectOfList(filter.projectCode, data, identity);
  if (isGiven(idempotencyKey) && project === undefined) {
    throw badInput(
      'PROJECT_NEEDED',
      'An idempotency key is unique within a project; give its "projectCode".',
    );
  }
  return {
    ...(project && { space: String(project.id) }),
    ...(isGiven(number) && { number }),
    ...(isAnywhere && (await ownSpaces(data, identity))),
    ...(isGiven(typeCode) && { series: typeCode }),
    ...(isGiven(status) && { status }),
    ...(isGiven(period) && { period }),
    ...(isGiven(dateFrom) && { dateFrom }),
    ...(isGiven(dateTo) && { dateTo }),
    ...(isGiven(idempotencyKey) && { key: idempotencyKey }),
    ...(isGiven(actorId) && { actor: actorId }),
    ...(isGiven(newestFirst) && { newestFirst }),
    dimensions: {
      ...(isGiven(organizationCode) && { ORG: organizationCode }),
      ...(isGiven(disciplineCode) && { DISCIPLINE: disciplineCode }),
    },
  };
}

/** The number spaces of the caller's projects; none: all. */
export async function ownSpaces(
  data: MasterData,
  { projects }: Identity,
): Promise<Pick<LedgerFilter, 'spaces'>> {
  if (projects === 'ALL') return {};
  const own = await data.projects.findByCodes([...projects]);
  return { spaces: own.flatMap((project) => (project === undefined ? [] : [String(project.id)])) };
}

/** A client can omit a condition or send null for it. */
export function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
