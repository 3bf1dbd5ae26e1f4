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
  description: 'What became of a number.',
  valuesConfig: {
    RESERVED: { description: 'Held for somebody.' },
    ISSUED: { description: 'In use.' },
    CANCELLED: { description: 'A reservation that ended, or a number that was skipped.' },
    VOID: { description: 'Taken out of use, with a reason.' },
    IMPORTED: { description: 'Issued by another system.' },
    MANUAL: { description: 'Chosen by hand.' },
  },
});
registerEnumType(NumberGuardEnum, {
  name: 'NumberGuard',
  description: 'What kept other processes away while the number was drawn.',
  valuesConfig: {
    REDIS_AND_VERSION: { description: 'The Redis lock in front of the version check.' },
    ROW: { description: 'The lock of the counter row alone, as when Redis is away.' },
  },
});
