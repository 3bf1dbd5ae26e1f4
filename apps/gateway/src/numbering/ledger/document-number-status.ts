import type { Guard, NumberStatus } from '@solegate/doc-numbering';
import { registerEnumType } from 'type-graphql';

export const DocumentNumberStatusEnum = {
  RESERVED: 'reserved',
  ISSUED: 'issued',
  CANCELLED: 'cancelled',
  VOID: 'void',
  IMPORTED: 'imported',
  MANUAL: 'manual',
} as const satisfies Record<string, NumberStatus>;

export const NumberGuardEnum = {
  REDIS_AND_VERSION: 'redis+version',
  ROW: 'row',
} as const satisfies Record<string, Guard>;

registerEnumType(DocumentNumberStatusEnum, {
  name: 'DocumentNumberStatus',
  description: 'Status of a document number.',
  valuesConfig: {
    RESERVED: { description: 'Held by a reservation.' },
    ISSUED: { description: 'In use.' },
    CANCELLED: { description: 'Its reservation was cancelled or expired, or the number was skipped.' },
    VOID: { description: 'Taken out of use, with a reason.' },
    IMPORTED: { description: 'Issued by another system.' },
    MANUAL: { description: 'Assigned by hand.' },
  },
});
registerEnumType(NumberGuardEnum, {
  name: 'NumberGuard',
  description: 'How other processes were excluded while a number was issued.',
  valuesConfig: {
    REDIS_AND_VERSION: { description: 'By a Redis lock in front of the version check.' },
    ROW: { description: 'By the lock on the counter row alone, as when Redis is unavailable.' },
  },
});
