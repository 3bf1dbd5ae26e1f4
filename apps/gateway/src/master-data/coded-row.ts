import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Column, Entity } from 'typeorm';
import { Field } from '../graphql/described.js';
import { ObjectType } from '../graphql/fields.js';

/** A row of master data that is identified by its code. */
@ObjectType('An entry of master data.')
export abstract class CodedRow {
  @Field(() => TsidScalar, 'Unique ID (TSID).')
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, 'Unique code, printed in document numbers; it never changes.')
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String, 'Display name.')
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

@ObjectType('A number space: document numbers are unique within their project.')
@Entity({ name: 'projects' })
export class Project extends CodedRow {
  /** Cell that has its numbers; null: the first one. */
  @Column({ type: 'text', nullable: true })
  cell!: string | null;
}

@ObjectType('An organization that documents come from; printed by {ORG}.')
@Entity({ name: 'organizations' })
export class Organization extends CodedRow {}

@ObjectType('A document type, which selects the number series; printed by {TYPE}.')
@Entity({ name: 'correspondence_types' })
export class CorrespondenceType extends CodedRow {}

@ObjectType('A field of work that documents belong to; printed by {DISCIPLINE}.')
@Entity({ name: 'disciplines' })
export class Discipline extends CodedRow {}
