import { GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { Fields, field, InputType, optional } from '../../graphql/fields.js';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType('Request for the next number of a series.')
export class IssueDocumentNumberInput extends Fields(DocumentSeriesInput, {
  idempotencyKey: optional(
    String,
    'Idempotency key, 1 to 200 characters: a retry with the same key and content returns the same number, even after a lost response.',
  ),
  reason: optional(String, 'Reason, kept in the ledger. Up to 1,000 characters.'),
}) {}

@InputType('Request for consecutive numbers of one series.')
export class IssueDocumentNumbersInput extends Fields(IssueDocumentNumberInput, {
  count: field(Int, 'How many numbers, 1 to 1,000.'),
}) {}

@InputType('Request to reserve the next number of a series.')
export class ReserveDocumentNumberInput extends Fields(IssueDocumentNumberInput, {
  holdMs: optional(
    GraphQLSafeInt,
    'How long to hold the number, in milliseconds, at least 1,000. Default: 300,000 (five minutes).',
  ),
}) {}

@InputType('A reservation to confirm.')
export class ConfirmDocumentNumberInput extends Fields({
  token: field(String, 'Secret returned by `reserveDocumentNumber`.'),
}) {}

@InputType('A reservation to cancel; its number stays in the ledger as CANCELLED.')
export class CancelDocumentNumberInput extends Fields(ConfirmDocumentNumberInput, {
  reason: field(String, 'Reason, 1 to 1,000 characters.'),
}) {}
