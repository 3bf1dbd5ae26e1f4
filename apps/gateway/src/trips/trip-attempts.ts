import { TripAttemptEntity, type TripAttemptRecord } from '@solegate/trip-reservation/typeorm';
import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type { DataSource } from 'typeorm';
import type { Cells } from '../cells/cells.js';

@ObjectType({
  description: 'How often attempts to accept one offer had one outcome; updated about once a second.',
})
export class TripAttempt {
  @Field(() => Int, { description: 'Dispatch epoch of the offer.' })
  offerEpoch!: number;

  @Field(() => String, { description: 'Outcome, such as ACCEPTED or TAKEN.' })
  outcome!: string;

  @Field(() => GraphQLSafeInt, { description: 'Number of attempts.' })
  count!: number;
}

interface AttemptSum {
  readonly epoch: number;
  readonly outcome: string;
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
