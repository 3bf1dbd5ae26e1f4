import type { Finding, NumberingEventType } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';

const EventTypeEnum: Record<Uppercase<NumberingEventType>, NumberingEventType> = {
  NUMBER_ASSIGNED: 'number_assigned',
  NUMBER_VOIDED: 'number_voided',
  NUMBERS_IMPORTED: 'numbers_imported',
  NUMBERS_SKIPPED: 'numbers_skipped',
  RESERVATION_CANCELLED: 'reservation_cancelled',
  RESERVATION_CONFIRMED: 'reservation_confirmed',
  REGRESSION_ACCEPTED: 'regression_accepted',
  SERIES_DEFINED: 'series_defined',
  SERIES_CHANGED: 'series_changed',
  FORMAT_SAVED: 'format_saved',
  FORMAT_WITHDRAWN: 'format_withdrawn',
  DEFAULT_FORMAT_SAVED: 'default_format_saved',
};

registerEnumType(EventTypeEnum, {
  name: 'DocumentNumberEventType',
  description: 'Type of an audit event.',
  valuesConfig: {
    NUMBER_ASSIGNED: { description: 'A chosen number was issued.' },
    NUMBER_VOIDED: { description: 'A number was taken out of use.' },
    NUMBERS_IMPORTED: { description: 'Numbers of another system were imported.' },
    NUMBERS_SKIPPED: { description: 'Numbers were recorded as cancelled.' },
    RESERVATION_CANCELLED: { description: 'A reservation was cancelled, or expired.' },
    RESERVATION_CONFIRMED: { description: 'A reservation became an issued number.' },
    REGRESSION_ACCEPTED: { description: 'A counter below issued numbers was accepted as it is.' },
    SERIES_DEFINED: { description: 'A series was defined.' },
    SERIES_CHANGED: { description: 'The rules of a series were changed.' },
    FORMAT_SAVED: { description: 'A version of a format was saved.' },
    FORMAT_WITHDRAWN: { description: 'A version of a format was withdrawn.' },
    DEFAULT_FORMAT_SAVED: { description: 'The default format of a project was saved.' },
  },
});

@ObjectType({ description: 'Audit event of a number, a format or a series. Events are never changed.' })
export class DocumentNumberEvent {
  @Field(() => ID, { name: 'id', description: 'Event ID; it increases over time.' })
  eventId!: string;

  @Field(() => EventTypeEnum, { description: 'Type of event.' })
  type!: NumberingEventType;

  @Field(() => String, { nullable: true, description: 'The number concerned, if any.' })
  number!: string | undefined;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Position in its counter.' })
  sequence!: number | undefined;

  @Field(() => ID, {
    name: 'actorId',
    description: 'The actor: the subject of their token, or an internal name of the gateway.',
  })
  actor!: string;

  @Field(() => String, { nullable: true, description: 'Reason given by the actor.' })
  reason!: string | undefined;

  @Field(() => GraphQLJSONObject, { description: 'Further facts; they depend on the type.' })
  facts!: Readonly<Record<string, unknown>>;

  @Field(() => GraphQLDateTimeISO, {
    name: 'occurredAt',
    description: 'When it happened, by the PostgreSQL clock.',
  })
  at!: Date;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class DocumentNumberEventFilter {
  @Field(() => String, {
    nullable: true,
    description:
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
  })
  projectCode?: string;

  @Field(() => String, { nullable: true, description: 'Only events of this number, as printed.' })
  number?: string;
}

const LedgerFindingKindEnum: Record<Uppercase<Finding['kind']>, Finding['kind']> = {
  HOLE: 'hole',
  REGRESSION: 'regression',
  EXPIRED_RESERVATIONS: 'expired_reservations',
  VOID_MISMATCH: 'void_mismatch',
  UNATTACHED: 'unattached',
  WIDTH: 'width',
  MARKS_UNREAD: 'marks_unread',
};

registerEnumType(LedgerFindingKindEnum, {
  name: 'LedgerFindingKind',
  description: 'Kind of finding.',
  valuesConfig: {
    HOLE: { description: 'Numbers from `first` to `last` are missing from the ledger.' },
    REGRESSION: {
      description: 'The counter is at `lastNumber`, below `highWaterMark`, which was already issued.',
    },
    EXPIRED_RESERVATIONS: { description: '`count` overdue reservations were cancelled by this call.' },
    VOID_MISMATCH: {
      description:
        '`count` numbers are void without reason, actor and time of that, or have them without being void; `example` is one.',
    },
    UNATTACHED: {
      description:
        '`count` numbers older than `unattachedAfterMs` have no document; `example` is one of them.',
    },
    WIDTH: {
      description: 'At least 90% of the width of the current format is used; `widthUsed` has the share.',
    },
    MARKS_UNREAD: {
      description: 'Redis did not respond: `count` counters were not compared with their high-water marks.',
    },
  },
});

@ObjectType({ description: 'A finding that needs a human decision. Which fields are set depends on `kind`.' })
export class LedgerFinding {
  @Field(() => LedgerFindingKindEnum, { description: 'Kind of finding.' })
  kind!: Finding['kind'];

  @Field(() => String, { nullable: true, description: 'The counter concerned, in readable form.' })
  counter?: string;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'First missing number of a hole.' })
  first?: number;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Last missing number of a hole.' })
  last?: number;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Last number of the counter.' })
  lastNumber?: number;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Highest number known to have been issued.' })
  highWaterMark?: number;

  @Field(() => Int, {
    nullable: true,
    description: 'How many numbers, counters or reservations, depending on `kind`.',
  })
  count?: number;

  @Field(() => String, { nullable: true, description: 'One of the numbers concerned.' })
  example?: string;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of the width of the current format that is used, 0 to 1; above 1 only with WIDEN.',
  })
  widthUsed?: number;
}

@ObjectType({ description: 'The ledger was checked.' })
export class DocumentNumbersReconciled {
  @Field(() => [LedgerFinding], { description: 'What needs attention; empty if nothing does.' })
  findings!: readonly LedgerFinding[];
}

export const ReconcileDocumentNumbersResult = soleResult(
  'ReconcileDocumentNumbersResult',
  'What the check found.',
  DocumentNumbersReconciled,
);

@InputType({ description: 'Which part of the ledger to check.' })
export class ReconcileDocumentNumbersInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Code of one project. Default: every project. Required with several databases (PROJECT_NEEDED).',
  })
  projectCode?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Code of one document type. Default: every document type.',
  })
  typeCode?: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Also report numbers without a document that are older than this, in milliseconds. Default: they are not checked.',
  })
  unattachedAfterMs?: number;
}
