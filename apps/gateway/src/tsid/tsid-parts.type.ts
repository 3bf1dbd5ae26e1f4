import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { Fields, field, ObjectType } from '../graphql/fields.js';

@ObjectType('The parts of a TSID.')
export class TsidParts extends Fields({
  id: field(TsidScalar, 'The TSID itself.'),
  time: field(GraphQLDateTimeISO, 'When it was made, to the millisecond.'),
  node: field(Int, 'The node that made it.'),
  sequence: field(Int, 'Its position within that millisecond and node.'),
  crockford: field(String, 'Crockford base 32: 13 characters that sort like the numbers.'),
  base62: field(String, 'Base 62: 11 characters that sort like the numbers.'),
  hex: field(String, 'Hexadecimal: 16 digits that sort like the numbers.'),
}) {}

@ObjectType('New IDs.')
export class TsidsGenerated extends Fields({
  ids: field([TsidScalar], 'The IDs, in ascending order.'),
}) {}

@ObjectType('The process that held a node when an ID was made.')
export class TsidHolder extends Fields({
  holder: field(String, 'Host, process ID and start time of the process.'),
  heldFrom: field(GraphQLDateTimeISO, 'When it began to hold the node.'),
  heldUntil: field(GraphQLDateTimeISO, 'End of its window; later each time the lease is renewed.'),
}) {}
