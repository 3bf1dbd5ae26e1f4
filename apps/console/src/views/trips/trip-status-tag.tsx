import type { Result } from '../../session/gateway-client.js';

type TripStatus = NonNullable<Result<'trip'>>['status'];

export const TRIP_STATUS_WORDS: Readonly<Record<TripStatus, string>> = {
  SCHEDULED: 'scheduled',
  FINDING: 'finding a driver',
  ACCEPTED: 'accepted',
  IN_PROGRESS: 'in progress',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
};

export const ENDED: ReadonlySet<TripStatus> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

export function TripStatusTag({ status }: { readonly status: TripStatus }) {
  return <span class={`tag ${ENDED.has(status) ? '' : 'chosen'}`}>{TRIP_STATUS_WORDS[status]}</span>;
}
