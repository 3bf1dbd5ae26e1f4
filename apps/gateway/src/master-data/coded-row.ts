import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column } from 'typeorm';

/** A row of master data that is identified by its code. */
@ObjectType()
export abstract class CodedRow {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID).' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'Unique code, printed in document numbers; it never changes.' })
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String, { description: 'Display name.' })
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
