import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'Activity of the responding process in one minute. Percentiles are estimates from the buckets of a histogram, up ' +
    'to 5 seconds; null if nothing was measured.',
})
export class OverviewBucket {
  @Field(() => GraphQLDateTimeISO, { description: 'Start of the minute.' })
  from!: Date;

  @Field(() => Float, { description: 'Length in seconds: 60, or less for the current minute.' })
  seconds!: number;

  @Field(() => Int, { description: 'Operations over HTTP, and subscriptions started.' })
  operationCount!: number;

  @Field(() => Int, { description: 'Operations refused: bad input, missing role, too many requests.' })
  refusedCount!: number;

  @Field(() => Int, {
    description: 'Operations failed: a store was unavailable, or an unexpected error occurred.',
  })
  failedCount!: number;

  @Field(() => Int, { description: 'IDs minted.' })
  idCount!: number;

  @Field(() => Int, { description: 'Document numbers committed.' })
  numberCount!: number;

  @Field(() => Int, { description: 'Counters found below an already issued number; should be 0.' })
  regressionCount!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Median duration of commits of document numbers, in milliseconds.',
  })
  commitP50Ms!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: '99th percentile of these commit durations, in milliseconds.',
  })
  commitP99Ms!: number | undefined;

  @Field(() => Int, { description: 'Requests to `acceptTrip`.' })
  acceptCount!: number;

  @Field(() => Int, { description: 'Requests to `acceptTrip` that won the trip.' })
  tripsWonCount!: number;

  @Field(() => Float, { nullable: true, description: 'Median duration of `acceptTrip`, in milliseconds.' })
  acceptP50Ms!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: '99th percentile of `acceptTrip` durations, in milliseconds.',
  })
  acceptP99Ms!: number | undefined;
}

@ObjectType({ description: 'A dependency of the gateway.' })
export class OverviewPart {
  @Field(() => String, {
    description: 'Name: postgres, redis or nodeLease; in a further cell followed by the name of the cell.',
  })
  name!: string;

  @Field(() => Boolean, {
    description: 'Whether it passed its last probe; probed once a second or more often.',
  })
  isUp!: boolean;

  @Field(() => Float, { description: 'Seconds that it has been down; 0 while it is up.' })
  awaySeconds!: number;
}

@ObjectType({ description: 'PostgreSQL connections of the responding process.' })
export class OverviewConnections {
  @Field(() => Int, { description: 'In use.' })
  usedCount!: number;

  @Field(() => Int, { description: 'Callers waiting for a connection.' })
  waitingCount!: number;
}

@ObjectType({ description: 'Trip events, of all processes, that are stored but not yet published.' })
export class OverviewOutbox {
  @Field(() => Int, { description: 'Number of events; 10,000 means 10,000 or more.' })
  waitingCount!: number;

  @Field(() => Float, { description: 'Age of the oldest event in seconds; 0 if there is none.' })
  oldestSeconds!: number;
}

@ObjectType({ description: 'Memory of the Redis that all processes share.' })
export class OverviewRedisMemory {
  @Field(() => GraphQLSafeInt, { description: 'Bytes in use.' })
  usedBytes!: number;

  @Field(() => GraphQLSafeInt, { description: 'Limit in bytes; 0: none but that of the machine.' })
  maxBytes!: number;
}

@ObjectType({
  description:
    'State of the gateway process that responds. Behind a load balancer, the next response might come from another one.',
})
export class Overview {
  @Field(() => String, { description: 'Host and process ID, as in the holders of nodes.' })
  process!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When the process started.' })
  startedAt!: Date;

  @Field(() => Int, { nullable: true, description: 'Node ID that it mints on; null while it has none.' })
  node!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds that it can mint IDs without Redis; null while it has no node.',
  })
  leaseSecondsLeft!: number | undefined;

  @Field(() => GraphQLSafeInt, { description: 'IDs it has minted since it started.' })
  idCount!: number;

  @Field(() => [OverviewPart], { description: 'Its dependencies, and whether they are up.' })
  parts!: readonly OverviewPart[];

  @Field(() => OverviewConnections, { description: 'Its PostgreSQL connections.' })
  databaseConnections!: OverviewConnections;

  @Field(() => OverviewOutbox, {
    nullable: true,
    description: 'Publishing lag, at most five seconds old; null while PostgreSQL does not respond.',
  })
  outbox!: OverviewOutbox | undefined;

  @Field(() => OverviewRedisMemory, {
    nullable: true,
    description: 'Memory of Redis, at most five seconds old; null while it does not respond.',
  })
  redisMemory!: OverviewRedisMemory | undefined;

  @Field(() => Int, {
    description:
      'Counters of this process whose last numbers Redis does not remember yet; they are written when it responds.',
  })
  waitingMarkCount!: number;

  @Field(() => [OverviewBucket], {
    description:
      'The last hour by the minute, oldest first, ending with the current minute. Kept in memory since the process started.',
  })
  buckets!: readonly OverviewBucket[];
}
