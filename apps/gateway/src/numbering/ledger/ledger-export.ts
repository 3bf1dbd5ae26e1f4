import type { Numbering } from '@solegate/doc-numbering';
import { GraphQLLocalDate } from 'graphql-scalars';
import { badInput } from '../../errors/gateway-error.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import type { DocumentNumberFilter } from './ledger.inputs.js';
import { ledgerFilterOf } from './ledger-filter.js';

/** Conditions of an export: those of `documentNumbers` except status, idempotency key and actor. */
const CONDITIONS = [
  'projectCode',
  'typeCode',
  'organizationCode',
  'disciplineCode',
  'period',
  'dateFrom',
  'dateTo',
] as const satisfies readonly (keyof DocumentNumberFilter)[];

/** Exports the ledger as a file. */
export class LedgerExport {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
  ) {}

  /**
   * Streams CSV, which is read from PostgreSQL page by page while it is sent.
   *
   * @param conditions query parameters of the URL
   * @throws {GatewayError} EXPORT_CONDITION, NOT_YOUR_PROJECT, UNKNOWN_CODE, PROJECT_NEEDED
   */
  async csv(
    conditions: Readonly<Record<string, unknown>>,
    identity: Identity,
  ): Promise<AsyncIterable<string>> {
    const filter: DocumentNumberFilter = {};
    for (const [name, value] of Object.entries(conditions)) {
      const condition = CONDITIONS.find((known) => known === name);
      if (condition === undefined || typeof value !== 'string' || value.includes('\0')) throw badCondition();
      if (condition.startsWith('date') && !isDate(value)) throw badCondition();
      filter[condition] = value;
    }
    return this.numbering.exportCsv(await ledgerFilterOf(filter, this.data, identity));
  }
}

function isDate(text: string): boolean {
  try {
    return GraphQLLocalDate.parseValue(text) === text && text >= '1900' && text < '2200';
  } catch {
    return false;
  }
}

function badCondition() {
  return badInput(
    'EXPORT_CONDITION',
    `Give each condition at most once: ${CONDITIONS.join(', ')}; dates are YYYY-MM-DD, from 1900 to 2199.`,
  );
}
