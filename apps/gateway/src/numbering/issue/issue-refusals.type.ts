import {
  ExhaustedError,
  KeyReusedError,
  PeriodClosedError,
  SeriesBlockedError,
} from '@solegate/doc-numbering';
import { GraphQLSafeInt } from 'graphql-scalars';
import type { ClassType } from 'type-graphql';
import { domainTextOf } from '../../errors/public-error.js';
import { Fields, field, InterfaceType, ObjectType } from '../../graphql/fields.js';
import { memberOf, Refusal, ResultMutation } from '../../graphql/results.js';

@InterfaceType('Why no number was issued: an outcome for a person to act on, not an error.')
abstract class DocumentNumberRefusal extends Refusal {}

@ObjectType('The counter has issued its last number. Save a format with more digits, or raise `endAt`.')
class NumbersExhausted extends Fields(DocumentNumberRefusal, {
  limit: field(GraphQLSafeInt, 'Last number that can be issued.'),
}) {}

@ObjectType('The business date is in a closed period, or outside the current period without `otherPeriod`.')
class PeriodClosed extends Fields(DocumentNumberRefusal, {
  period: field(String, 'Period of the business date, such as 2025.'),
}) {}

@ObjectType(
  'The idempotency key was used for a request with other content, or by another person. A new request needs a new key.',
)
class IdempotencyKeyReused extends DocumentNumberRefusal {}

@ObjectType('An administrator has blocked the series.')
class SeriesBlocked extends Fields(DocumentNumberRefusal, {
  reason: field(String, 'Reason given by the administrator.'),
}) {}

const REFUSALS = [NumbersExhausted, PeriodClosed, IdempotencyKeyReused, SeriesBlocked];

export type Refused = InstanceType<(typeof REFUSALS)[number]>;

/** A mutation that issues numbers, or does nothing. @param made what it returns unless it is refused */
export function NumberMutation(
  made: () => ClassType,
  description: string,
  ofResult: string,
): MethodDecorator {
  return ResultMutation(() => [made(), ...REFUSALS], description, ofResult);
}

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
