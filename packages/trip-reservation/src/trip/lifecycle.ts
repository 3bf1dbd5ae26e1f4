import type { TripEventType, TripStatus } from './trip.js';

/** Every status, in the order of a trip's life. */
export const TRIP_STATUSES: readonly TripStatus[] = [
  'SCHEDULED',
  'FINDING',
  'ACCEPTED',
  'IN_PROGRESS',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
];

const ENDS: ReadonlySet<TripStatus> = new Set<TripStatus>(['COMPLETED', 'CANCELLED', 'EXPIRED']);

/** Whether the status is final. */
export const hasEnded = (status: TripStatus): boolean => ENDS.has(status);

/** One transition between statuses. */
export interface TripMove {
  readonly from: readonly TripStatus[];
  readonly to: TripStatus;
  /** The event written to the outbox. */
  readonly event: TripEventType;
  readonly by: 'rider' | 'driver' | 'dispatcher' | 'time';
  /** Whether the trip is offered again in the next dispatch epoch. */
  readonly raisesEpoch: boolean;
}

/**
 * All transitions of a trip; what is not listed cannot happen. The statements that move trips take their
 * statuses from here, and a test compares the README's diagram with it.
 */
export const TRIP_MOVES = {
  request: { from: [], to: 'FINDING', event: 'TRIP_REQUESTED', by: 'rider', raisesEpoch: false },
  schedule: { from: [], to: 'SCHEDULED', event: 'TRIP_REQUESTED', by: 'rider', raisesEpoch: false },
  open: { from: ['SCHEDULED'], to: 'FINDING', event: 'TRIP_OFFERED', by: 'time', raisesEpoch: false },
  accept: { from: ['FINDING'], to: 'ACCEPTED', event: 'TRIP_ACCEPTED', by: 'driver', raisesEpoch: false },
  arrive: { from: ['ACCEPTED'], to: 'ACCEPTED', event: 'DRIVER_ARRIVED', by: 'driver', raisesEpoch: false },
  start: { from: ['ACCEPTED'], to: 'IN_PROGRESS', event: 'TRIP_STARTED', by: 'driver', raisesEpoch: false },
  complete: {
    from: ['IN_PROGRESS'],
    to: 'COMPLETED',
    event: 'TRIP_COMPLETED',
    by: 'driver',
    raisesEpoch: false,
  },
  cancel: {
    from: ['SCHEDULED', 'FINDING', 'ACCEPTED', 'IN_PROGRESS'],
    to: 'CANCELLED',
    event: 'TRIP_CANCELLED',
    by: 'rider',
    raisesEpoch: false,
  },
  noShow: { from: ['ACCEPTED'], to: 'CANCELLED', event: 'TRIP_CANCELLED', by: 'driver', raisesEpoch: false },
  leave: {
    from: ['ACCEPTED', 'IN_PROGRESS'],
    to: 'FINDING',
    event: 'TRIP_REDISPATCHED',
    by: 'driver',
    raisesEpoch: true,
  },
  widen: { from: ['FINDING'], to: 'FINDING', event: 'TRIP_OFFERED', by: 'dispatcher', raisesEpoch: false },
  reach: { from: ['FINDING'], to: 'FINDING', event: 'TRIP_OFFERED', by: 'time', raisesEpoch: false },
  remind: { from: ['FINDING'], to: 'FINDING', event: 'TRIP_STILL_OPEN', by: 'time', raisesEpoch: false },
  retry: { from: ['FINDING'], to: 'FINDING', event: 'TRIP_REDISPATCHED', by: 'time', raisesEpoch: true },
  idle: { from: ['ACCEPTED'], to: 'FINDING', event: 'TRIP_REDISPATCHED', by: 'time', raisesEpoch: true },
  expire: { from: ['FINDING'], to: 'EXPIRED', event: 'TRIP_EXPIRED', by: 'time', raisesEpoch: false },
} as const satisfies Record<string, TripMove>;

/** The name of a move in {@link TRIP_MOVES}. */
export type TripMoveName = keyof typeof TRIP_MOVES;

/** Whether the move is allowed from this status. */
export function mayMove(name: TripMoveName, status: TripStatus): boolean {
  const { from }: TripMove = TRIP_MOVES[name];
  return from.includes(status);
}
