import { createUnionType, Field, ObjectType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';
import { DocumentNumber, DocumentNumberReservation } from '../ledger/document-number.type.js';
import { REFUSALS } from './issue-refusals.type.js';

@ObjectType({ description: 'Consecutive numbers, issued in one commit.' })
export class DocumentNumbersIssued {
  @Field(() => [DocumentNumber], { description: 'The numbers, in order of their sequence.' })
  documentNumbers!: readonly DocumentNumber[];
}

export const IssueDocumentNumberResult = createUnionType({
  name: 'IssueDocumentNumberResult',
  description: 'The number, or why none was issued.',
  types: () => [DocumentNumber, ...REFUSALS] as const,
});

export const IssueDocumentNumbersResult = createUnionType({
  name: 'IssueDocumentNumbersResult',
  description: 'All numbers, or why none were issued.',
  types: () => [DocumentNumbersIssued, ...REFUSALS] as const,
});

export const ReserveDocumentNumberResult = createUnionType({
  name: 'ReserveDocumentNumberResult',
  description: 'The reservation, or why no number was reserved.',
  types: () => [DocumentNumberReservation, ...REFUSALS] as const,
});

export const ConfirmDocumentNumberResult = soleResult(
  'ConfirmDocumentNumberResult',
  'The issued number.',
  DocumentNumber,
);

export const CancelDocumentNumberResult = soleResult(
  'CancelDocumentNumberResult',
  'The cancelled number.',
  DocumentNumber,
);
