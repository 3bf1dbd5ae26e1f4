import { GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { Fields, field, InputType, ObjectType, optional } from '../../graphql/fields.js';
import { IssueDocumentNumberInput } from '../issue/issue.inputs.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType('Request for one chosen number.')
export class AssignDocumentNumberInput extends Fields(DocumentSeriesInput, {
  sequence: field(
    GraphQLSafeInt,
    'Sequence to assign: above the counter (the numbers in between are recorded as cancelled), or in the manual interval of the series.',
  ),
  reason: field(String, 'Reason, 1 to 1,000 characters.'),
}) {}

@InputType('Records numbers that will never be issued, such as those lost in a failover.')
export class SkipDocumentNumbersInput extends Fields(DocumentSeriesInput, {
  upTo: field(GraphQLSafeInt, 'Last number to record as cancelled, at most 100,000 above the counter.'),
  reason: field(String, 'Reason, 1 to 1,000 characters.'),
}) {}

@InputType('Identifies a counter that is below numbers already issued.')
export class AcceptCounterRegressionInput extends Fields(DocumentSeriesInput, {
  reason: field(String, 'Why those numbers are void, 1 to 1,000 characters.'),
}) {}

@InputType('A number to take out of use, and the request for its replacement.')
export class ReplaceDocumentNumberInput extends Fields({
  number: field(String, 'The number to take out of use, as printed.'),
  reason: field(String, 'Reason, 1 to 1,000 characters.'),
  replacement: field(IssueDocumentNumberInput, 'Request for the replacement, project included.'),
}) {}

@InputType('A number to take out of use; it is never issued again.')
export class VoidDocumentNumberInput extends Fields({
  projectCode: field(String, 'Code of the project.'),
  number: field(String, 'The number as printed.'),
  reason: field(String, 'Reason, 1 to 1,000 characters.'),
  replacedBy: optional(String, 'An already issued number that takes its place.'),
}) {}

@ObjectType('A voided number and its replacement, stored in one commit.')
export class DocumentNumberReplaced extends Fields({
  voided: field(DocumentNumber, 'The voided number.'),
  replacement: field(DocumentNumber, 'The replacement: the next number of the same series.'),
}) {}

@ObjectType('Result of a skip.')
export class DocumentNumbersSkipped extends Fields({
  skippedCount: field(Int, 'Numbers recorded as cancelled by this call; 0 if they all were already.'),
}) {}

@ObjectType('A counter that was accepted as it is after a restore.')
export class CounterRegressionAccepted extends Fields({
  lastNumber: field(GraphQLSafeInt, 'Last number of the counter; the next number is the one after it.'),
  highWaterMark: field(
    GraphQLSafeInt,
    'Highest number known to have been issued before. If it is not above `lastNumber`, there was nothing to accept.',
  ),
}) {}
