import { Field, InterfaceType } from 'type-graphql';

@InterfaceType({
  description:
    'Why a mutation did not do what it was asked to: an outcome for a person to act on, not an error.',
})
export abstract class Refusal {
  @Field(() => String, { description: 'Human-readable message: what happened and what to do.' })
  message!: string;
}
