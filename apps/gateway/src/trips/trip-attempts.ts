import { TripAttemptEntity, type TripAttemptRecord } from '@solegate/trip-reservation/typeorm';
import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type { DataSource } from 'typeorm';
import type { Cells } from '../cells/cells.js';

@ObjectType({ description: 'How often accepts of one offer ended in one way; counted about once a second.' })
export class TripAttempt {
  @Field(() => Int, { description: 'The dispatch epoch of the offer.' })
  offerEpoch!: number;

  @Field(() => String, { description: 'How they ended, such as ACCEPTED or TAKEN.' })
  outcome!: string;

  @Field(() => GraphQLSafeInt, { description: 'How many.' })
  count!: number;
}

interface AttemptSum {
  readonly epoch: number;
  readonly outcome: string;
  readonly count: string;
}

/** An audit of demand, read from what the package counts. */
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
    .where('attempt.tripId = :tripId', { tripId: String(tripId) })
    .groupBy('attempt.epoch')
    .addGroupBy('attempt.outcome')
    .orderBy('attempt.epoch')
    .addOrderBy('attempt.outcome')
    .getRawMany<AttemptSum>();
  return sums.map(({ epoch, outcome, count }) => ({ offerEpoch: epoch, outcome, count: Number(count) }));
}
