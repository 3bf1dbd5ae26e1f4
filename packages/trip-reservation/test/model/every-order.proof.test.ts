import { describe, expect, test } from '@jest/globals';
import fc, { type Scheduler } from 'fast-check';
import { createTripReservation } from '../../src/index.js';
import { ModelDatabase, ModelRedis } from './model-stores.js';

const TRIP_IDS = [1n, 2n];

type Step =
  | {
      readonly kind: 'accept';
      readonly process: number;
      readonly tripId: bigint;
      readonly driverId: bigint;
      readonly epoch: number;
    }
  | { readonly kind: 'cancel'; readonly tripId: bigint }
  | { readonly kind: 'leave'; readonly tripId: bigint; readonly driverId: bigint }
  | { readonly kind: 'holdsRunOut' }
  | { readonly kind: 'offerRunsOut'; readonly tripId: bigint };

const trip = fc.constantFrom(...TRIP_IDS);
const driver = fc.constantFrom(11n, 12n, 13n);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('accept' as const),
      process: fc.constantFrom(0, 1, 2),
      tripId: trip,
      driverId: driver,
      epoch: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), tripId: trip }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('leave' as const), tripId: trip, driverId: driver }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('holdsRunOut' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offerRunsOut' as const), tripId: trip }) },
);

interface Answered {
  readonly tripId: bigint;
  readonly driverId: bigint;
  readonly epoch: number;
  readonly answered: string;
}

/** How a flow accepts and cancels on the model stores. */
interface ModelFlow {
  accept(process: number, answered: Omit<Answered, 'answered'>): Promise<string>;
  cancel(tripId: bigint): Promise<unknown>;
  leave(tripId: bigint, driverId: bigint): Promise<unknown>;
}

/** The violations after all steps ran in the order that the scheduler chose. */
async function play(scheduler: Scheduler, steps: readonly Step[], open: (stores: ModelStores) => ModelFlow) {
  const stores = { database: new ModelDatabase(scheduler, TRIP_IDS), redis: new ModelRedis(scheduler) };
  const flow = open(stores);
  const answered: Answered[] = [];
  const run = async (next: Step): Promise<void> => {
    await scheduler.schedule(Promise.resolve(), next.kind);
    switch (next.kind) {
      case 'accept':
        answered.push({ ...next, answered: await flow.accept(next.process, next) });
        return;
      case 'cancel':
        await flow.cancel(next.tripId);
        return;
      case 'leave':
        await flow.leave(next.tripId, next.driverId);
        return;
      case 'holdsRunOut':
        stores.redis.keys.clear();
        return;
      case 'offerRunsOut': {
        const offered = stores.database.trips.get(String(next.tripId));
        if (offered?.status === 'FINDING') offered.isOfferOver = true;
      }
    }
  };
  await scheduler.waitFor(Promise.all(steps.map(run)));
  return violationsOf(stores.database, answered);
}

interface ModelStores {
  readonly database: ModelDatabase;
  readonly redis: ModelRedis;
}

function violationsOf({ reservations }: ModelDatabase, answered: readonly Answered[]): string[] {
  const violations: string[] = [];
  const winners = new Map<string, string>();
  for (const { tripId, epoch, driverId, statusBefore, wasDriverBusy } of reservations) {
    const dispatch = `${tripId}:${epoch}`;
    if (winners.has(dispatch)) violations.push(`${dispatch} was given twice`);
    if (statusBefore !== 'FINDING') violations.push(`${dispatch} was taken while ${statusBefore}`);
    if (wasDriverBusy) violations.push(`driver ${driverId} was given a second trip`);
    winners.set(dispatch, driverId);
  }
  for (const { tripId, epoch, driverId, answered: answer } of answered) {
    const hasWon = winners.get(`${tripId}:${epoch}`) === String(driverId);
    if (answer === 'ACCEPTED' && !hasWon)
      violations.push(`${driverId} was answered yes for ${tripId}:${epoch}`);
    if (answer === 'TAKEN' && hasWon) violations.push(`the winner ${driverId} was answered taken`);
    if (answer === 'TAKEN' && !winners.has(`${tripId}:${epoch}`)) {
      violations.push(`${driverId} was answered that ${tripId}:${epoch} is taken, which nobody has had`);
    }
  }
  return violations;
}

function openPackage({ database, redis }: ModelStores): ModelFlow {
  // Only the scheduler may decide the order, never real time.
  const limits = { gateTimeoutMs: 60_000, requestTimeoutMs: 600_000 };
  const options = { database, namespace: 'model', random: () => 0.5, ...limits };
  const withRedis = () => createTripReservation({ ...options, redis: redis.asConnection() });
  // The third process has no Redis, like every process during an outage.
  const processes = [withRedis(), withRedis(), createTripReservation(options)];
  return {
    accept: async (process, { tripId, driverId, epoch }) => {
      const outcome = await processes[process]?.acceptTrip({ tripId, driverId, offerEpoch: epoch });
      return String(outcome?.kind);
    },
    cancel: async (tripId) => processes[0]?.cancelTrip({ tripId, riderId: tripId }),
    leave: async (tripId, driverId) => processes[1]?.cancelTrip({ tripId, driverId }),
  };
}

/** The control: SET NX, then an UPDATE that checks only the ID. */
function openControl({ database, redis }: ModelStores): ModelFlow {
  return {
    accept: async (_process, { tripId, driverId }) => {
      if (!(await redis.setIfAbsent(`trip_lock:${tripId}`, String(driverId)))) return 'TAKEN';
      await database.query({ name: 'solegate_read_trip', text: '', values: [String(tripId)] });
      const row = database.trips.get(String(tripId));
      if (row) database.accept(row, String(driverId));
      return 'ACCEPTED';
    },
    cancel: async (tripId) => {
      const row = database.trips.get(String(tripId));
      if (row) row.status = 'CANCELLED';
    },
    leave: async () => undefined,
  };
}

const property = (open: (stores: ModelStores) => ModelFlow) =>
  fc.asyncProperty(
    fc.scheduler(),
    fc.array(step, { minLength: 2, maxLength: 7 }),
    async (scheduler, steps) => {
      expect(await play(scheduler, steps, open)).toEqual([]);
    },
  );

describe('accepts, cancellations, re-dispatches and expiries, in every order tried', () => {
  test('keep every promise', async () => {
    await fc.assert(property(openPackage), { numRuns: 1500 });
  });

  test('break a promise when run by SET NX and an UPDATE, the control', async () => {
    const result = await fc.check(property(openControl), { numRuns: 1500 });
    expect(result.failed).toBe(true);
  });
});
