import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'What happened in one minute of the process that answers. Percentiles are estimates from the buckets of a histogram, ' +
    'up to 5 seconds; null when nothing was measured.',
})
export class OverviewBucket {
  @Field(() => GraphQLDateTimeISO, { description: 'Its beginning.' })
  from!: Date;

  @Field(() => Float, { description: 'Its length in seconds: 60, and less for the one that still runs.' })
  seconds!: number;

  @Field(() => Int, { description: 'Operations over HTTP, and subscriptions that began.' })
  operationCount!: number;

  @Field(() => Int, { description: 'Of these, refused: bad input, a missing role, too many requests.' })
  refusedCount!: number;

  @Field(() => Int, { description: 'Of these, failed: a store was away, or something unexpected happened.' })
  failedCount!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Half of the operations took at most this, in milliseconds.',
  })
  operationP50Ms!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: '99 of 100 operations took at most this, in milliseconds.',
  })
  operationP99Ms!: number | undefined;

  @Field(() => Int, { description: 'IDs that were minted.' })
  idCount!: number;

  @Field(() => Int, { description: 'Document numbers that were committed.' })
  numberCount!: number;

  @Field(() => Int, { description: 'Commits with numbers that went on without Redis.' })
  numberFallbackCount!: number;

  @Field(() => Int, {
    description: 'Commits with numbers that were repeated since another process was first.',
  })
  numberConflictCount!: number;

  @Field(() => Int, { description: 'Counters found below a number that was issued; should be 0.' })
  regressionCount!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Half of the commits with numbers took at most this, in milliseconds.',
  })
  commitP50Ms!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: '99 of 100 commits with numbers took at most this, in milliseconds.',
  })
  commitP99Ms!: number | undefined;

  @Field(() => Int, { description: 'Answers to drivers who pressed accept, one to a request.' })
  acceptCount!: number;

  @Field(() => Int, { description: 'Of these, drivers who have the trip.' })
  tripsWonCount!: number;

  @Field(() => Int, { description: 'Calls on trips that went on without Redis.' })
  gateFailureCount!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Half of these answers took at most this, in milliseconds.',
  })
  acceptP50Ms!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: '99 of 100 of these answers took at most this, in milliseconds.',
  })
  acceptP99Ms!: number | undefined;

  @Field(() => [String], { description: 'Parts that did not answer at its end: postgres, redis, nodeLease.' })
  partsAway!: readonly string[];
}

@ObjectType({ description: 'Something that the gateway needs.' })
export class OverviewPart {
  @Field(() => String, { description: 'postgres, redis or nodeLease.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether it answered when it was last asked, twice a second.' })
  isUp!: boolean;

  @Field(() => String, { nullable: true, description: 'What is wrong with it; null while it answers.' })
  problem!: string | undefined;

  @Field(() => Float, { description: 'Seconds that it has been away; 0 while it answers.' })
  awaySeconds!: number;
}

@ObjectType({ description: 'Connections to PostgreSQL of the process that answers.' })
export class OverviewConnections {
  @Field(() => Int, { description: 'In use.' })
  usedCount!: number;

  @Field(() => Int, { description: 'Open and free.' })
  idleCount!: number;

  @Field(() => Int, { description: 'Callers that wait for one.' })
  waitingCount!: number;
}

@ObjectType({ description: 'Events of trips that are stored and not published yet, by all processes.' })
export class OverviewOutbox {
  @Field(() => Int, { description: 'How many; 10,000 stands for more.' })
  waitingCount!: number;

  @Field(() => Float, { description: 'Age of the oldest in seconds; 0 when none waits.' })
  oldestSeconds!: number;
}

@ObjectType({
  description:
    'How one gateway process does: the one that answers. Behind a balancer the next answer may be of another.',
})
export class Overview {
  @Field(() => String, { description: 'Host and process, as among the holders of nodes.' })
  process!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When it started.' })
  startedAt!: Date;

  @Field(() => Int, { nullable: true, description: 'The node that it mints on; null while it has none.' })
  node!: number | undefined;

  @Field(() => Float, {
    nullable: true,
    description: 'Seconds that IDs go on when Redis is away; null while it has no node.',
  })
  leaseSecondsLeft!: number | undefined;

  @Field(() => GraphQLSafeInt, { description: 'IDs that it has minted since it started.' })
  idCount!: number;

  @Field(() => [OverviewPart], { description: 'What it needs, and whether that answers.' })
  parts!: readonly OverviewPart[];

  @Field(() => OverviewConnections, { description: 'Its connections to PostgreSQL.' })
  databaseConnections!: OverviewConnections;

  @Field(() => OverviewOutbox, {
    nullable: true,
    description:
      'How far publishing lags behind, at most five seconds ago; null while PostgreSQL does not answer.',
  })
  outbox!: OverviewOutbox | undefined;

  @Field(() => [OverviewBucket], {
    description:
      'The last hour by the minute, oldest first; the last one still runs. Kept in memory since it started.',
  })
  buckets!: readonly OverviewBucket[];
}
