import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidColumn, tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';

@ObjectType({ description: 'A document. Its row, number and idempotency key were committed together.' })
@Entity({ name: 'correspondences' })
export class Correspondence {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID).' })
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

  @Field(() => String, { description: 'Its document number, such as TEAM-RFA-STR-2026-0001.' })
  @Column({ type: 'text', name: 'document_number' })
  documentNumber!: string;

  @Field(() => String, { description: 'Subject line.' })
  @Column({ type: 'text' })
  subject!: string;

  @Field(() => String, { description: 'Body text.' })
  @Column({ type: 'text', default: '' })
  body!: string;

  @Field(() => TsidScalar, { description: 'ID of the person who created it.' })
  @Column(tsidColumn({ name: 'created_by' }))
  createdBy!: bigint;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was created, by the PostgreSQL clock.' })
  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
