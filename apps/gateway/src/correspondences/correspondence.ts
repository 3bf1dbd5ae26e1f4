import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidColumn, tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Column, Entity } from 'typeorm';
import { Field } from '../graphql/described.js';
import { Fields, field, InputType, ObjectType, optional } from '../graphql/fields.js';
import { DocumentTypeFilter } from '../master-data/project-filter.js';
import { DocumentSeriesInput } from '../numbering/series/document-series.input.js';

@ObjectType('A document. Its row, number and idempotency key were committed together.')
@Entity({ name: 'correspondences' })
export class Correspondence {
  @Field(() => TsidScalar, 'Unique ID (TSID).')
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Column(tsidColumn({ name: 'project_id' }))
  projectId!: bigint;

  @Column(tsidColumn({ name: 'organization_id' }))
  organizationId!: bigint;

  @Column(tsidColumn({ name: 'type_id' }))
  typeId!: bigint;

  @Column(tsidColumn({ name: 'discipline_id', nullable: true }))
  disciplineId!: bigint | null;

  @Field(() => String, 'Its document number, such as TEAM-RFA-STR-2026-0001.')
  @Column({ type: 'text', name: 'document_number' })
  documentNumber!: string;

  @Field(() => String, 'Subject line.')
  @Column({ type: 'text' })
  subject!: string;

  @Field(() => String, 'Body text.')
  @Column({ type: 'text', default: '' })
  body!: string;

  @Field(() => TsidScalar, 'ID of the person who created it.')
  @Column(tsidColumn({ name: 'created_by' }))
  createdBy!: bigint;

  @Field(() => GraphQLDateTimeISO, 'When it was created, by the PostgreSQL clock.')
  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

@InputType('A new document and the series that numbers it.')
export class CreateCorrespondenceInput extends Fields(DocumentSeriesInput, {
  subject: field(String, 'Subject line, 1 to 500 characters.'),
  body: field(String, 'Body text, up to 20,000 characters.', { defaultValue: '' }),
  idempotencyKey: optional(
    String,
    'Idempotency key, 1 to 200 characters: a retry with the same key returns the same document.',
  ),
}) {}

@InputType('Conditions, combined with AND.')
export class CorrespondenceFilter extends DocumentTypeFilter {}
