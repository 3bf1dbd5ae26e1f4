import { registerEnumType } from 'type-graphql';

export const TripStatusEnum = {
  SCHEDULED: 'SCHEDULED',
  FINDING: 'FINDING',
  ACCEPTED: 'ACCEPTED',
  IN_PROGRESS: 'IN_PROGRESS',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
} as const;

registerEnumType(TripStatusEnum, {
  name: 'TripStatus',
  description: 'Status of a trip.',
  valuesConfig: {
    SCHEDULED: { description: 'Offered to drivers later, at `offerAt`.' },
    FINDING: { description: 'Offered to drivers; none of them has it.' },
    ACCEPTED: { description: 'A driver has it and is on the way.' },
    IN_PROGRESS: { description: 'The driver has started the ride.' },
    COMPLETED: { description: 'Completed by the driver.' },
    CANCELLED: { description: 'Cancelled by the rider, or by the driver because the rider did not come.' },
    EXPIRED: { description: 'Ended because no driver accepted it in time.' },
  },
});
