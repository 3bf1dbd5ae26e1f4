import type { Finding, NumberingEventType } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';
import { Float, ID } from 'type-graphql';
import { enumType, Fields, field, InputType, nullable, ObjectType, optional } from '../../graphql/fields.js';
import { ProjectFilter } from '../../master-data/project-filter.js';

const EventTypeEnum = enumType<NumberingEventType>('DocumentNumberEventType', 'Type of an audit event.', {
  number_assigned: 'A chosen number was issued.',
  number_voided: 'A number was taken out of use.',
  numbers_imported: 'Numbers of another system were imported.',
  numbers_skipped: 'Numbers were recorded as cancelled.',
  reservation_cancelled: 'A reservation was cancelled, or expired.',
  reservation_confirmed: 'A reservation became an issued number.',
  regression_accepted: 'A counter below issued numbers was accepted as it is.',
  series_defined: 'A series was defined.',
  series_changed: 'The rules of a series were changed.',
  format_saved: 'A version of a format was saved.',
  format_withdrawn: 'A version of a format was withdrawn.',
  default_format_saved: 'The default format of a project was saved.',
});

@ObjectType('Audit event of a number, a format or a series. Events are never changed.')
export class DocumentNumberEvent extends Fields({
  eventId: field(ID, 'Event ID; it increases over time.', { name: 'id' }),
  type: field(EventTypeEnum, 'Type of event.'),
  number: nullable(String, 'The number concerned, if any.'),
  sequence: nullable(GraphQLSafeInt, 'Position in its counter.'),
  actor: field(ID, 'The actor: the subject of their token, or an internal name of the gateway.', {
    name: 'actorId',
  }),
  reason: nullable(String, 'Reason given by the actor.'),
  facts: field(GraphQLJSONObject, 'Further facts; they depend on the type.'),
  at: field(GraphQLDateTimeISO, 'When it happened, by the PostgreSQL clock.', { name: 'occurredAt' }),
}) {}

@InputType('Conditions, combined with AND.')
export class DocumentNumberEventFilter extends Fields(ProjectFilter, {
  number: optional(String, 'Only events of this number, as printed.'),
}) {}

const LedgerFindingKindEnum = enumType<Finding['kind']>('LedgerFindingKind', 'Kind of finding.', {
  HOLE: 'Numbers from `first` to `last` are missing from the ledger.',
  REGRESSION: 'The counter is at `lastNumber`, below `highWaterMark`, which was already issued.',
  EXPIRED_RESERVATIONS: '`count` overdue reservations were cancelled by this call.',
  VOID_MISMATCH:
    '`count` numbers are void without reason, actor and time of that, or have them without being void; `example` is one.',
  UNATTACHED: '`count` numbers older than `unattachedAfterMs` have no document; `example` is one of them.',
  WIDTH: 'At least 90% of the width of the current format is used; `widthUsed` has the share.',
  MARKS_UNREAD: 'Redis did not respond: `count` counters were not compared with their high-water marks.',
});

@ObjectType('A finding that needs a human decision. Which fields are set depends on `kind`.')
class LedgerFinding extends Fields({
  kind: field(LedgerFindingKindEnum, 'Kind of finding.'),
  counter: optional(String, 'The counter concerned, in readable form.'),
  first: optional(GraphQLSafeInt, 'First missing number of a hole.'),
  last: optional(GraphQLSafeInt, 'Last missing number of a hole.'),
  lastNumber: optional(GraphQLSafeInt, 'Last number of the counter.'),
  highWaterMark: optional(GraphQLSafeInt, 'Highest number known to have been issued.'),
  count: optional(GraphQLSafeInt, 'How many numbers, counters or reservations, depending on `kind`.'),
  example: optional(String, 'One of the numbers concerned.'),
  widthUsed: optional(
    Float,
    'Share of the width of the current format that is used, 0 to 1; above 1 only with WIDEN.',
  ),
}) {}

@ObjectType('The ledger was checked.')
export class DocumentNumbersReconciled extends Fields({
  findings: field([LedgerFinding], 'What needs attention; empty if nothing does.'),
}) {}

@InputType('Which part of the ledger to check.')
export class ReconcileDocumentNumbersInput extends Fields({
  projectCode: optional(
    String,
    'Code of one project. Default: every project. Required with several databases (PROJECT_NEEDED).',
  ),
  typeCode: optional(String, 'Code of one document type. Default: every document type.'),
  unattachedAfterMs: optional(
    GraphQLSafeInt,
    'Also report numbers without a document that are older than this, in milliseconds, up to 3,155,760,000,000 (a hundred years). Default: they are not checked.',
  ),
}) {}
