import { ObjectType } from 'type-graphql';
import { Entity } from 'typeorm';
import { CodedRow } from './coded-row.js';

@ObjectType({ description: 'A field of work that documents belong to; printed by {DISCIPLINE}.' })
@Entity({ name: 'disciplines' })
export class Discipline extends CodedRow {}
