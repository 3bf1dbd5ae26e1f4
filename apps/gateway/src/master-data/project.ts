import { ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';
import { CodedRow } from './coded-row.js';

@ObjectType({ description: 'A number space: document numbers are unique within their project.' })
@Entity({ name: 'projects' })
export class Project extends CodedRow {
  /** Cell that has its numbers; null: the first one. */
  @Column({ type: 'text', nullable: true })
  cell!: string | null;
}
