import { ObjectType } from 'type-graphql';
import { Entity } from 'typeorm';
import { CodedRow } from './coded-row.js';

@ObjectType({ description: 'An organization that documents come from; printed by {ORG}.' })
@Entity({ name: 'organizations' })
export class Organization extends CodedRow {}
