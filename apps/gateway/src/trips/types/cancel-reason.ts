import { registerEnumType } from 'type-graphql';

export const CancelReasonEnum = {
  CHANGED_PLANS: 'CHANGED_PLANS',
  WAITED_TOO_LONG: 'WAITED_TOO_LONG',
  DRIVER_ASKED: 'DRIVER_ASKED',
  VEHICLE_PROBLEM: 'VEHICLE_PROBLEM',
  RIDER_UNREACHABLE: 'RIDER_UNREACHABLE',
  TOO_FAR: 'TOO_FAR',
  OTHER: 'OTHER',
  RIDER_NO_SHOW: 'RIDER_NO_SHOW',
  BY_DISPATCHER: 'BY_DISPATCHER',
} as const;

registerEnumType(CancelReasonEnum, {
  name: 'TripCancelReason',
  description: 'Why a trip was cancelled, or why its driver left it.',
  valuesConfig: {
    CHANGED_PLANS: { description: 'The rider no longer wants the trip.' },
    WAITED_TOO_LONG: { description: 'The rider waited too long.' },
    DRIVER_ASKED: { description: 'The driver asked the rider to cancel.' },
    VEHICLE_PROBLEM: { description: 'The driver has a problem with the vehicle.' },
    RIDER_UNREACHABLE: { description: 'The driver cannot reach the rider.' },
    TOO_FAR: { description: 'The trip is too far for the driver.' },
    OTHER: { description: 'Any other reason; for riders and drivers.' },
    RIDER_NO_SHOW: {
      description: 'The driver waited at the pickup, but the rider did not come. Set by `reportNoShow` only.',
    },
    BY_DISPATCHER: { description: 'A dispatcher cancelled the trip. Set for them only.' },
  },
});
