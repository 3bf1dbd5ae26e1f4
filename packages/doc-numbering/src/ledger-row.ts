import type { Guard, NumberStatus } from './issue-request.js';
import type { LedgerEntry } from './ledger-entry.js';

/** Columns of a ledger entry: `n` is document_numbers, `c` its counter, `s` its series. */
export const ledgerColumns = `n.id, n.space, s.code, c.dimensions, n.period, n.counter_id, n.sequence, n.number, n.status,
  n.format_version, n.business_date::text AS date, n.document, n.actor, n.reason, n.replaced_by, n.idempotency_key,
  n.batch, n.waited_ms, n.retry_count, n.guard, n.issued_at, n.expires_at`;

export const ledgerTables = `document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id`;

export interface LedgerRow {
  readonly id: string | null;
  readonly space: string;
  readonly code: string;
  readonly dimensions: string;
  readonly period: string;
  readonly counter_id: string;
  readonly sequence: string;
  readonly number: string;
  readonly status: NumberStatus;
  readonly format_version: number | null;
  readonly date: string;
  readonly document: string | null;
  readonly actor: string;
  readonly reason: string | null;
  readonly replaced_by: string | null;
  readonly idempotency_key: string | null;
  readonly batch: string | null;
  readonly waited_ms: number | null;
  readonly retry_count: number | null;
  readonly guard: Guard | null;
  readonly issued_at: Date;
  readonly expires_at: Date | null;
}

export function toLedgerEntry(row: LedgerRow): LedgerEntry {
  return {
    id: row.id === null ? undefined : String(row.id),
    space: row.space,
    series: row.code,
    dimensions: JSON.parse(row.dimensions),
    period: row.period,
    counterId: String(row.counter_id),
    sequence: Number(row.sequence),
    number: row.number,
    status: row.status,
    formatVersion: row.format_version ?? undefined,
    date: row.date,
    document: row.document ?? undefined,
    actor: row.actor,
    reason: row.reason ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    key: row.idempotency_key ?? undefined,
    batch: row.batch ?? undefined,
    waitedMs: row.waited_ms ?? undefined,
    retryCount: row.retry_count ?? undefined,
    guard: row.guard ?? undefined,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at ?? undefined,
  };
}
