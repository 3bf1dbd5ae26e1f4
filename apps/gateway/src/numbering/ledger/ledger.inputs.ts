import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLLocalDate } from 'graphql-scalars';
import { ID } from 'type-graphql';
import { Fields, field, InputType, optional } from '../../graphql/fields.js';
import { DocumentTypeFilter } from '../../master-data/project-filter.js';
import { DocumentNumberStatusEnum } from './document-number.type.js';

@InputType('A number as printed, which is unique within its project.')
class DocumentNumberText extends Fields({
  projectCode: field(String, 'Code of the project.'),
  number: field(String, 'The number as printed, such as TEAM-RFA-STR-2026-0001.'),
}) {}

@InputType('Identifies one number; give exactly one field.')
export class DocumentNumberBy extends Fields({
  id: optional(TsidScalar, 'ID of its ledger row.'),
  number: optional(DocumentNumberText, 'Its text and its project.'),
}) {}

/** Conditions of every list and search of numbers. */
export const numberConditions = {
  status: optional(DocumentNumberStatusEnum, 'Only numbers with this status.'),
  actorId: optional(ID, 'Only numbers issued or recorded by this actor: the subject of their token.'),
  dateFrom: optional(GraphQLLocalDate, 'Earliest business date, inclusive.'),
  dateTo: optional(GraphQLLocalDate, 'Latest business date, inclusive.'),
};

@InputType('Conditions, combined with AND.')
export class DocumentNumberFilter extends Fields(DocumentTypeFilter, {
  ...numberConditions,
  number: optional(
    String,
    'The number as printed. Without `projectCode`: in every project the caller can access, since each can print it.',
  ),
  organizationCode: optional(String, 'Code of one organization.'),
  disciplineCode: optional(String, 'Code of one discipline.'),
  period: optional(String, 'Period, such as 2026.'),
  idempotencyKey: optional(
    String,
    'Only numbers issued under this idempotency key. Keys are unique within a project, so give `projectCode` too.',
  ),
  newestFirst: optional(
    Boolean,
    'Whether the counter that began last, and its last number, come first. Default: false, in the order of numbers or counters.',
  ),
}) {}
