import { type ListTripsOptions, type TripEvent, TripNotFoundError } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Args, Ctx, Int, Resolver } from 'type-graphql';
import type { Cells } from '../cells/cells.js';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { Arg, Query } from '../graphql/described.js';
import { given } from '../graphql/given.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Identity } from '../identity/identity.js';
import type { MasterData } from '../master-data/master-data.js';
import { Person } from '../master-data/people.js';
import { defineReferences } from '../master-data/resolver-methods.js';
import type { Trips } from './cell-trips.js';
import { foreignTrip, seenAs, viewOf } from './trip-access.js';
import { TripAttempt, type TripAttempts } from './trip-attempts.js';
import { TripFilter } from './types/trip.inputs.js';
import { TripType } from './types/trip.type.js';
import { TripEventObject, TripOfferStep } from './types/trip-event.type.js';

const TripConnection = connectionType('Trip', TripType);
/** Events by which an offer reaches drivers. */
const OFFERS: ReadonlySet<TripEvent['type']> = new Set([
  'TRIP_REQUESTED',
  'TRIP_OFFERED',
  'TRIP_REDISPATCHED',
] as const);

@Resolver(() => TripType)
export class TripQueriesResolver {
  constructor(
    private readonly trips: Trips,
    readonly data: MasterData,
    private readonly attempts: TripAttempts,
    private readonly cells: Cells,
  ) {}

  @Query(
    () => TripType,
    'Returns one trip, as far as the caller is allowed to see it; null if there is none. Trips of others are refused (NOT_YOUR_TRIP).',
    { nullable: true },
  )
  async trip(
    @Arg('id', () => TsidScalar, 'ID of the trip.') id: bigint,
    @Ctx() { identity }: RequestContext,
  ): Promise<TripType | undefined> {
    const trip = await this.trips.findTrip(id);
    if (trip === undefined) return undefined;
    const view = viewOf(trip, identity);
    if (view === 'NONE') throw foreignTrip();
    return seenAs(view, trip);
  }

  @Query(
    () => [TripEventObject],
    'Lists up to 1,000 events of a trip in order, so that a client can catch up after a disconnect.',
  )
  async tripHistory(
    @Arg('tripId', () => TsidScalar, 'ID of the trip.') tripId: bigint,
    @Arg(
      'afterRevision',
      () => Int,
      'Last known revision; only later events are listed. 0: from the beginning.',
      { defaultValue: 0 },
    )
    afterRevision: number,
    @Arg('first', () => Int, 'Maximum number of events, 1 to 1,000.', { defaultValue: 100 }) first: number,
    @Ctx() { identity }: RequestContext,
  ): Promise<readonly TripEventObject[]> {
    const trip = await this.trips.findTrip(tripId);
    if (trip === undefined) throw new TripNotFoundError(tripId);
    if (viewOf(trip, identity) !== 'WHOLE') throw foreignTrip();
    return this.trips.tripHistory({ tripId, afterRevision, first });
  }

  @Query(() => [TripAttempt], 'Counts attempts to accept a trip, by offer and outcome: an audit of demand.')
  async tripAttempts(
    @Arg('tripId', () => TsidScalar, 'ID of the trip.') tripId: bigint,
  ): Promise<TripAttempt[]> {
    return this.attempts.of(tripId);
  }

  @Query(
    () => [TripOfferStep],
    'Lists whom a trip was offered to, step by step, as far as its first 1,000 events say.',
  )
  async tripOfferSteps(
    @Arg('tripId', () => TsidScalar, 'ID of the trip.') tripId: bigint,
  ): Promise<TripOfferStep[]> {
    const events = await this.trips.tripHistory({ tripId, first: 1000 });
    return events
      .filter(({ type, status }) => OFFERS.has(type) && status === 'FINDING')
      .map(({ epoch, revision, offeredTo, occurredAt, offerExpiresAt }) => ({
        offerEpoch: epoch,
        revision,
        driverIds: offeredTo === 'EVERYONE' ? null : offeredTo,
        offeredAt: occurredAt,
        expiresAt: offerExpiresAt,
      }));
  }

  @Query(() => TripConnection, "Lists the caller's trips, newest first; administrators see all trips.", {
    name: 'trips',
  })
  async listTrips(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => TripFilter, 'Which trips to list.', { nullable: true }) filter?: TripFilter,
  ): Promise<Connection<TripType>> {
    const first = readPageSize(page);
    const after = readIdCursor(page);
    const region = filter?.region;
    const within = typeof region === 'string' ? this.cells.ofRegion(region).running.trips : this.trips;
    const { trips, hasMore } = await within.listTrips({
      first,
      ...given({ after, status: filter?.status }),
      ...(filter?.lateFirst && { lateFirst: true }),
      ...ownersOf(filter ?? {}, identity),
    });
    return idConnection(trips, page, hasMore);
  }
}

defineReferences<TripType>(TripQueriesResolver.prototype, {
  rider: [
    Person,
    'The rider; null for a driver who only has an offer.',
    ({ riderId }, { people }) => (riderId ? people.load(riderId) : null),
  ],
  driver: [
    Person,
    'The driver; null while the trip has none.',
    ({ driverId }, { people }) => (driverId ? people.load(driverId) : null),
  ],
});

/** Whose trips to list: by default, a caller who is both rider and driver gets the trips that they ride. */
function ownersOf(
  { as, riderId, driverId }: Partial<TripFilter>,
  { subjectId, roles }: Identity,
): Pick<ListTripsOptions, 'riderId' | 'driverId'> {
  if (as === 'RIDER') return { riderId: subjectId };
  if (as === 'DRIVER') return { driverId: subjectId };
  const owners = given({ riderId, driverId });
  if (roles.has('admin')) return owners;
  if (as === 'DISPATCHER' || Object.keys(owners).length > 0) throw foreignTrip();
  return roles.has('rider') ? { riderId: subjectId } : { driverId: subjectId };
}
