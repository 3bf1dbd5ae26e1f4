import type { Finding, NumberingEvent } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';

@ObjectType({
  description: 'One step in the life of a number, a format or a series. Written once, never changed.',
})
export class DocumentNumberEvent {
  @Field(() => ID, { description: 'Rises with time.' })
  id: string;

  @Field(() => String, { description: 'What happened, such as number_voided.' })
  type: string;

  @Field(() => String, { nullable: true, description: 'The number that it happened to.' })
  number: string | undefined;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Its position in its counter.' })
  sequence: number | undefined;

  @Field(() => ID, { description: 'Who did it: the subject of their token, or a name of the gateway’s own.' })
  actorId: string;

  @Field(() => String, { nullable: true, description: 'Why, in the words of who did it.' })
  reason: string | undefined;

  @Field(() => GraphQLJSONObject, { description: 'What else was written down; differs by type.' })
  facts: Readonly<Record<string, unknown>>;

  @Field(() => GraphQLDateTimeISO, { description: 'By the clock of PostgreSQL.' })
  occurredAt: Date;

  constructor(event: NumberingEvent) {
    this.id = event.eventId;
    this.type = event.type;
    this.number = event.number;
    this.sequence = event.sequence;
    this.actorId = event.actor;
    this.reason = event.reason;
    this.facts = event.facts;
    this.occurredAt = event.at;
  }
}

@InputType({ description: 'All given conditions hold together.' })
export class DocumentNumberEventFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Of one project. Default: all that the caller may see.',
  })
  projectCode?: string;

  @Field(() => String, { nullable: true, description: 'Of one number, as it is printed.' })
  number?: string;
}

const LedgerFindingKindEnum: Record<Uppercase<Finding['kind']>, Finding['kind']> = {
  HOLE: 'hole',
  REGRESSION: 'regression',
  EXPIRED_RESERVATIONS: 'expired_reservations',
  UNATTACHED: 'unattached',
  WIDTH: 'width',
  MARKS_UNREAD: 'marks_unread',
};

registerEnumType(LedgerFindingKindEnum, {
  name: 'LedgerFindingKind',
  description: 'What a look at the ledger found.',
  valuesConfig: {
    HOLE: { description: 'Numbers from `first` to `last` are missing from the ledger.' },
    REGRESSION: {
      description: 'The counter, at `lastNumber`, stands below `highWaterMark`, which was issued.',
    },
    EXPIRED_RESERVATIONS: { description: '`count` reservations whose time was over are cancelled now.' },
    UNATTACHED: { description: '`count` old numbers have no document; `example` is one.' },
    WIDTH: { description: 'The format in use is full to `widthUsed`.' },
    MARKS_UNREAD: {
      description: 'Redis gave no answer: `count` counters were not compared with what it remembers of them.',
    },
  },
});

@ObjectType({
  description: 'Something that a person should look at. Which fields it has depends on its kind.',
})
export class LedgerFinding {
  @Field(() => LedgerFindingKindEnum, { description: 'What was found.' })
  kind: Finding['kind'];

  @Field(() => String, { nullable: true, description: 'The counter that it is about, for people.' })
  counter: string | undefined;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'First missing number of a hole.' })
  first: number | undefined;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Last missing number of a hole.' })
  last: number | undefined;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'Where the counter stands.' })
  lastNumber: number | undefined;

  @Field(() => GraphQLSafeInt, {
    nullable: true,
    description: 'The highest number known to have been issued.',
  })
  highWaterMark: number | undefined;

  @Field(() => Int, { nullable: true, description: 'How many.' })
  count: number | undefined;

  @Field(() => String, { nullable: true, description: 'One of the numbers.' })
  example: string | undefined;

  @Field(() => Float, { nullable: true, description: 'Part of the width of the format in use, 0 to 1.' })
  widthUsed: number | undefined;

  constructor(finding: Finding) {
    const facts: Partial<LedgerFinding> = finding;
    this.kind = finding.kind;
    this.counter = facts.counter;
    this.first = facts.first;
    this.last = facts.last;
    this.lastNumber = facts.lastNumber;
    this.highWaterMark = facts.highWaterMark;
    this.count = 'counterCount' in finding ? finding.counterCount : facts.count;
    this.example = facts.example;
    this.widthUsed = facts.widthUsed;
  }
}

@InputType({ description: 'Which part of the ledger is looked at.' })
export class ReconcileDocumentNumbersInput {
  @Field(() => String, { nullable: true, description: 'Default: every project.' })
  projectCode?: string;

  @Field(() => String, { nullable: true, description: 'Default: every document type.' })
  typeCode?: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Also look for numbers without a document that are older, in milliseconds. Default: not at all.',
  })
  unattachedAfterMs?: number;
}
