import {
  ExhaustedError,
  KeyReusedError,
  PeriodClosedError,
  SeriesBlockedError,
} from '@solegate/doc-numbering';
import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, InterfaceType, ObjectType } from 'type-graphql';
import { domainTextOf } from '../../errors/public-error.js';
import { memberOf } from '../../graphql/member.js';
import { Refusal } from '../../graphql/refusal.type.js';

@InterfaceType({
  implements: Refusal,
  description: 'Why no number was issued: an outcome for a person to act on, not an error.',
})
abstract class DocumentNumberRefusal extends Refusal {}

@ObjectType({
  implements: DocumentNumberRefusal,
  description: 'The counter has issued its last number. Save a format with more digits, or raise `endAt`.',
})
class NumbersExhausted extends DocumentNumberRefusal {
  @Field(() => GraphQLSafeInt, { description: 'Last number that can be issued.' })
  limit!: number;
}

@ObjectType({
  implements: DocumentNumberRefusal,
  description:
    'The business date is in a closed period, or outside the current period without `otherPeriod`.',
})
class PeriodClosed extends DocumentNumberRefusal {
  @Field(() => String, { description: 'Period of the business date, such as 2025.' })
  period!: string;
}

@ObjectType({
  implements: DocumentNumberRefusal,
  description:
    'The idempotency key was used for a request with other content, or by another person. A new request needs a new key.',
})
class IdempotencyKeyReused extends DocumentNumberRefusal {}

@ObjectType({ implements: DocumentNumberRefusal, description: 'An administrator has blocked the series.' })
class SeriesBlocked extends DocumentNumberRefusal {
  @Field(() => String, { description: 'Reason given by the administrator.' })
  reason!: string;
}

export const REFUSALS = [NumbersExhausted, PeriodClosed, IdempotencyKeyReused, SeriesBlocked] as const;

type Refused = InstanceType<(typeof REFUSALS)[number]>;

/** Returns the result of the work, or the refusal it was rejected with. Any other error is thrown. */
export async function orRefusal<Result>(work: Promise<Result>): Promise<Result | Refused> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = domainTextOf(error);
    if (error instanceof ExhaustedError) return memberOf(NumbersExhausted, { message, limit: error.limit });
    if (error instanceof PeriodClosedError) return memberOf(PeriodClosed, { message, period: error.period });
    if (error instanceof KeyReusedError) return memberOf(IdempotencyKeyReused, { message });
    if (error instanceof SeriesBlockedError)
      return memberOf(SeriesBlocked, { message, reason: error.reason });
    throw error;
  }
}
