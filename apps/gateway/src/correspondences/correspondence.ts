import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidColumn, tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';

@ObjectType({ description: 'A document: its key, its number and its row were committed together.' })
@Entity({ name: 'correspondences' })
export class Correspondence {
  @Field(() => TsidScalar, { description: 'Its TSID.' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Column(tsidColumn({ name: 'project_id' }))
  projectId!: bigint;

  @Column(tsidColumn({ name: 'organization_id' }))
  organizationId!: bigint;

  @Column(tsidColumn({ name: 'type_id' }))
  typeId!: bigint;

  @Column(tsidColumn({ name: 'discipline_id' }))
  disciplineId!: bigint;

  @Field(() => String, { description: 'Such as TEAM-RFA-STR-2026-0001.' })
  @Column({ type: 'text', name: 'document_number' })
  documentNumber!: string;

  @Field(() => String, { description: 'What it is about.' })
  @Column({ type: 'text' })
  subject!: string;

  @Field(() => String, { description: 'What it says.' })
  @Column({ type: 'text', default: '' })
  body!: string;

  @Field(() => TsidScalar, { description: 'Who created it.' })
  @Column(tsidColumn({ name: 'created_by' }))
  createdBy!: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'By the clock of PostgreSQL.' })
  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
