import type { AcceptOutcome } from '@solegate/trip-reservation';
import { TripAttemptEntity, type TripAttemptRecord } from '@solegate/trip-reservation/typeorm';
import { GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import type { DataSource } from 'typeorm';
import type { Cells } from '../cells/cells.js';
import { enumType, Fields, field, ObjectType } from '../graphql/fields.js';

type Outcome = AcceptOutcome['kind'];

const TripAttemptOutcomeEnum = enumType<Outcome>(
  'TripAttemptOutcome',
  'What came of an attempt to accept an offer.',
  {
    ACCEPTED: 'The driver got the trip.',
    TAKEN: 'Another driver had it.',
    UNDECIDED: 'Another driver was ahead, and nothing was decided yet.',
    DRIVER_BUSY: 'The driver had another active trip.',
    NOT_OPEN: 'The status of the trip did not allow it.',
    STALE_OFFER: 'The trip had been offered again since.',
    NOT_OFFERED: 'The offer was not for this driver.',
  },
);

@ObjectType('How often attempts to accept one offer had one outcome; updated about once a second.')
export class TripAttempt extends Fields({
  offerEpoch: field(Int, 'Dispatch epoch of the offer.'),
  outcome: field(TripAttemptOutcomeEnum, 'The outcome.'),
  count: field(GraphQLSafeInt, 'Number of attempts.'),
}) {}

interface AttemptSum {
  readonly epoch: number;
  readonly outcome: Outcome;
  readonly count: string;
}

/** Audit of demand, read from the counts of the package. */
export class TripAttempts {
  constructor(private readonly cells: Cells) {}

  async of(tripId: bigint): Promise<TripAttempt[]> {
    const [attempts = []] = await this.cells.findEach([tripId], async ({ database }) => {
      const found = await attemptsIn(database.dataSource, tripId);
      return [found.length === 0 ? undefined : found];
    });
    return attempts;
  }
}

async function attemptsIn(dataSource: DataSource, tripId: bigint): Promise<TripAttempt[]> {
  const sums = await dataSource
    .getRepository<TripAttemptRecord>(TripAttemptEntity)
    .createQueryBuilder('attempt')
    .select('attempt.epoch', 'epoch')
    .addSelect('attempt.outcome', 'outcome')
    .addSelect('sum(attempt.attemptCount)', 'count')
    .where('attempt.tripId = :tripId', { tripId: String(BigInt.asIntN(64, tripId)) })
    .groupBy('attempt.epoch')
    .addGroupBy('attempt.outcome')
    .orderBy('attempt.epoch')
    .addOrderBy('attempt.outcome')
    .getRawMany<AttemptSum>();
  return sums.map(({ epoch, outcome, count }) => ({ offerEpoch: epoch, outcome, count: Number(count) }));
}
