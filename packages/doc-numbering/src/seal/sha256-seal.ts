import { hash } from 'node:crypto';
import type { LedgerEntry } from '../contract/ledger-columns.js';

type Drawn = Pick<
  LedgerEntry,
  'counterId' | 'sequence' | 'space' | 'number' | 'period' | 'date' | 'formatVersion' | 'id'
>;
type Requested = Pick<LedgerEntry, 'document' | 'actor' | 'reason' | 'key'>;

/**
 * The built-in seal: SHA-256, as lower case hexadecimal digits, of a JSON array in UTF-8 without blanks: the previous
 * seal, then what a ledger row keeps, whatever becomes of its number, in this order; `null` for what it does not have.
 *
 * @param drawn the row, or the number as it was drawn
 * @param requested the row, or the facts of the request
 */
export function sha256Seal(previous: string, drawn: Drawn, requested: Requested): string {
  const { counterId, sequence, space, number, period, date, formatVersion, id } = drawn;
  const { document, actor, reason, key } = requested;
  const kept = [
    previous,
    counterId,
    sequence,
    space,
    number,
    period,
    date,
    formatVersion,
    id,
    document,
    actor,
    reason,
    key,
  ];
  return hash('sha256', JSON.stringify(kept), 'hex');
}
