import type { Result } from '../../session/gateway-client.js';

export type LedgerRow = Result<'documentNumbers'>['edges'][number]['node'];
export type NumberFacts = NonNullable<Result<'documentNumber'>>;
export type NumberStatus = LedgerRow['status'];

export const STATUS_WORDS: Readonly<Record<NumberStatus, string>> = {
  ISSUED: 'issued',
  RESERVED: 'reserved',
  VOID: 'void',
  CANCELLED: 'cancelled',
  MANUAL: 'by hand',
  IMPORTED: 'imported',
};

/** Most numbers are issued, as plain text; any other status is highlighted. */
export function NumberStatusTag({ status }: { readonly status: NumberStatus }) {
  return status === 'ISSUED' ? STATUS_WORDS[status] : <span class="tag">{STATUS_WORDS[status]}</span>;
}
