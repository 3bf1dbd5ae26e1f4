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
  description: 'Where a trip stands.',
  valuesConfig: {
    SCHEDULED: { description: 'Offered to drivers later, at its time.' },
    FINDING: { description: 'Offered to drivers; nobody has it.' },
    ACCEPTED: { description: 'One driver has it and is on the way.' },
    IN_PROGRESS: { description: 'That driver has started it.' },
    COMPLETED: { description: 'Ended by the driver.' },
    CANCELLED: { description: 'Ended by the rider, or by a driver who waited for them in vain.' },
    EXPIRED: { description: 'Ended because no driver came.' },
  },
});
