import {
  ExhaustedError,
  KeyReusedError,
  PeriodClosedError,
  SeriesBlockedError,
} from '@solegate/doc-numbering';
import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, InterfaceType, ObjectType } from 'type-graphql';
import { domainTextOf } from '../../errors/public-error.js';

@InterfaceType({ description: 'Why no number is given: an answer that a person has to read, not an error.' })
abstract class DocumentNumberRefusal {
  @Field(() => String, { description: 'For people: what happened and what to do.' })
  message: string;

  constructor(error: Error) {
    this.message = domainTextOf(error);
  }
}

@ObjectType({
  implements: DocumentNumberRefusal,
  description: 'The last number that the format has room for is issued; save a format with more digits.',
})
class NumbersExhausted extends DocumentNumberRefusal {
  @Field(() => GraphQLSafeInt, { description: 'The last number that may be issued.' })
  limit: number;

  constructor(error: ExhaustedError) {
    super(error);
    this.limit = error.limit;
  }
}

@ObjectType({
  implements: DocumentNumberRefusal,
  description:
    'The business date lies in a period that is closed, or in another one than today without saying so.',
})
class PeriodClosed extends DocumentNumberRefusal {
  @Field(() => String, { description: 'The period of the date, such as 2025.' })
  period: string;

  constructor(error: PeriodClosedError) {
    super(error);
    this.period = error.period;
  }
}

@ObjectType({
  implements: DocumentNumberRefusal,
  description: 'The idempotency key belongs to a request with other content; a new request needs a new key.',
})
class IdempotencyKeyReused extends DocumentNumberRefusal {}

@ObjectType({ implements: DocumentNumberRefusal, description: 'An administrator has stopped the series.' })
class SeriesBlocked extends DocumentNumberRefusal {
  @Field(() => String, { description: 'Why, in the words of the administrator.' })
  reason: string;

  constructor(error: SeriesBlockedError) {
    super(error);
    this.reason = error.reason;
  }
}

export const REFUSALS = [NumbersExhausted, PeriodClosed, IdempotencyKeyReused, SeriesBlocked] as const;

type Refusal = InstanceType<(typeof REFUSALS)[number]>;

/** What the work gave, or the refusal that was to be expected. Whatever else went wrong is thrown. */
export async function orRefusal<Result>(work: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExhaustedError) return new NumbersExhausted(error);
    if (error instanceof PeriodClosedError) return new PeriodClosed(error);
    if (error instanceof KeyReusedError) return new IdempotencyKeyReused(error);
    if (error instanceof SeriesBlockedError) return new SeriesBlocked(error);
    throw error;
  }
}
