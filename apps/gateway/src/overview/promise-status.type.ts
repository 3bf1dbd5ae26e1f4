import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { PROMISES, type PromiseName } from '../operations/promise-table.js';

const names = Object.keys(PROMISES) as PromiseName[];
const PromiseNameEnum = Object.fromEntries(names.map((name) => [name, name]));

registerEnumType(PromiseNameEnum, {
  name: 'PromiseName',
  description: 'What callers can count on.',
  valuesConfig: Object.fromEntries(names.map((name) => [name, { description: PROMISES[name].what }])),
});

@ObjectType('PromiseLimit', { description: 'What the loss of a part does to a promise.' })
export class PromiseLimitType {
  @Field(() => String, { description: 'The part, such as redis.' })
  part!: string;

  @Field(() => String, { description: 'Why it did not pass its last probe.' })
  reason!: string;

  @Field(() => String, { description: 'What callers see.' })
  effect!: string;

  @Field(() => String, { description: 'What an operator does.' })
  action!: string;

  @Field(() => String, { description: 'The alert with this cause; the runbook has a section on it.' })
  alert!: string;
}

@ObjectType('PromiseStatus', { description: 'Whether a promise is kept to callers of this process now.' })
export class PromiseStatusType {
  @Field(() => PromiseNameEnum, { description: 'The promise.' })
  promise!: PromiseName;

  @Field(() => Boolean, { description: 'Whether it works, perhaps with limits.' })
  works!: boolean;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When it stops working unless something is done; null if no such time is known.',
  })
  until?: Date;

  @Field(() => [PromiseLimitType], { description: 'The parts that are away, if it depends on them.' })
  limits!: readonly PromiseLimitType[];
}
