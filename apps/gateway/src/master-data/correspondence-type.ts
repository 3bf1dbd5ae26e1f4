import { ObjectType } from 'type-graphql';
import { Entity } from 'typeorm';
import { CodedRow } from './coded-row.js';

@ObjectType({ description: 'A document type, which selects the number series; printed by {TYPE}.' })
@Entity({ name: 'correspondence_types' })
export class CorrespondenceType extends CodedRow {}
