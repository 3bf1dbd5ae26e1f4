import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Float, Int } from 'type-graphql';
import { enumType, Fields, field, nullable, ObjectType, optional } from '../graphql/fields.js';
import { PROMISES, type PromiseName } from '../operations/promise-table.js';

@ObjectType(
  'Activity of the responding process in one minute. Percentiles are estimates from the buckets of a histogram, up ' +
    'to 5 seconds; null if nothing was measured.',
)
export class OverviewBucket extends Fields({
  from: field(GraphQLDateTimeISO, 'Start of the minute.'),
  seconds: field(Float, 'Length in seconds: 60, or less for the current minute.'),
  operationCount: field(Int, 'Operations over HTTP, and subscriptions started.'),
  refusedCount: field(Int, 'Operations refused: bad input, missing role, too many requests.'),
  failedCount: field(Int, 'Operations failed: a store was unavailable, or an unexpected error occurred.'),
  idCount: field(Int, 'IDs minted.'),
  numberCount: field(Int, 'Document numbers committed.'),
  regressionCount: field(Int, 'Counters found below an already issued number; should be 0.'),
  commitP50Ms: nullable(Float, 'Median duration of commits of document numbers, in milliseconds.'),
  commitP99Ms: nullable(Float, '99th percentile of these commit durations, in milliseconds.'),
  acceptCount: field(Int, 'Requests to `acceptTrip`.'),
  tripsWonCount: field(Int, 'Requests to `acceptTrip` that won the trip.'),
  acceptP50Ms: nullable(Float, 'Median duration of `acceptTrip`, in milliseconds.'),
  acceptP99Ms: nullable(Float, '99th percentile of `acceptTrip` durations, in milliseconds.'),
}) {}

@ObjectType('A dependency of the gateway.')
class OverviewPart extends Fields({
  name: field(
    String,
    'Name: postgres, redis or nodeLease; in a further cell followed by the name of the cell.',
  ),
  isUp: field(Boolean, 'Whether it passed its last probe; probed once a second or more often.'),
  awaySeconds: field(Float, 'Seconds that it has been down; 0 while it is up.'),
}) {}

@ObjectType('PostgreSQL connections of the responding process.')
class OverviewConnections extends Fields({
  usedCount: field(Int, 'In use.'),
  waitingCount: field(Int, 'Callers waiting for a connection.'),
}) {}

@ObjectType('Trip events, of all processes, that are stored but not yet published.')
class OverviewOutbox extends Fields({
  waitingCount: field(Int, 'Number of events; 10,000 means 10,000 or more.'),
  oldestSeconds: field(Float, 'Age of the oldest event in seconds; 0 if there is none.'),
}) {}

@ObjectType('Memory of the Redis that all processes share.')
class OverviewRedisMemory extends Fields({
  usedBytes: field(GraphQLSafeInt, 'Bytes in use.'),
  maxBytes: field(GraphQLSafeInt, 'Limit in bytes; 0: none but that of the machine.'),
}) {}

@ObjectType(
  'State of the gateway process that responds. Behind a load balancer, the next response might come from another one.',
)
export class Overview extends Fields({
  process: field(String, 'Host and process ID, as in the holders of nodes.'),
  startedAt: field(GraphQLDateTimeISO, 'When the process started.'),
  node: nullable(Int, 'Node ID that it mints on; null while it has none.'),
  leaseSecondsLeft: nullable(Float, 'Seconds that it can mint IDs without Redis; null while it has no node.'),
  idCount: field(GraphQLSafeInt, 'IDs it has minted since it started.'),
  parts: field([OverviewPart], 'Its dependencies, and whether they are up.'),
  databaseConnections: field(OverviewConnections, 'Its PostgreSQL connections.'),
  outbox: nullable(
    OverviewOutbox,
    'Publishing lag, at most five seconds old; null while PostgreSQL does not respond.',
  ),
  redisMemory: nullable(
    OverviewRedisMemory,
    'Memory of Redis, at most five seconds old; null while it does not respond.',
  ),
  waitingMarkCount: field(
    Int,
    'Counters of this process whose last numbers Redis does not remember yet; they are written when it responds.',
  ),
  buckets: field(
    [OverviewBucket],
    'The last hour by the minute, oldest first, ending with the current minute. Kept in memory since the process started.',
  ),
}) {}

const names = Object.keys(PROMISES) as PromiseName[];
const described = Object.fromEntries(names.map((name) => [name, PROMISES[name].what]));
const PromiseNameEnum = enumType('PromiseName', 'What callers can count on.', described);

@ObjectType('What the loss of a part does to a promise.', { name: 'PromiseLimit' })
class PromiseLimitType extends Fields({
  part: field(String, 'The part, such as redis.'),
  reason: field(String, 'Why it did not pass its last probe.'),
  effect: field(String, 'What callers see.'),
  action: field(String, 'What an operator does.'),
  alert: field(String, 'The alert with this cause; the runbook has a section on it.'),
}) {}

@ObjectType('Whether a promise is kept to callers of this process now.', { name: 'PromiseStatus' })
export class PromiseStatusType extends Fields({
  promise: field(PromiseNameEnum, 'The promise.'),
  works: field(Boolean, 'Whether it works, perhaps with limits.'),
  until: optional(
    GraphQLDateTimeISO,
    'When it stops working unless something is done; null if no such time is known.',
  ),
  limits: field([PromiseLimitType], 'The parts that are away, if it depends on them.'),
}) {}
