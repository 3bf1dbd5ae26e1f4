import { registerEnumType } from 'type-graphql';

export const TripStatusEnum = {
  FINDING: 'FINDING',
  ACCEPTED: 'ACCEPTED',
  IN_PROGRESS: 'IN_PROGRESS',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
} as const;

registerEnumType(TripStatusEnum, {
  name: 'TripStatus',
  description: 'Where a trip stands.',
  valuesConfig: {
    FINDING: { description: 'Offered to drivers; nobody has it.' },
    ACCEPTED: { description: 'One driver has it and is on the way.' },
    IN_PROGRESS: { description: 'That driver has started it.' },
    COMPLETED: { description: 'Ended by the driver.' },
    CANCELLED: { description: 'Ended by the rider.' },
    EXPIRED: { description: 'Ended because no driver came.' },
  },
});
