import { findDuplicates } from '@solegate/testkit';
import type { SubjectRole, Violation } from '../measuring/result.js';
import { failedCountOf } from '../measuring/run-metrics.js';
import { numbersVerdict } from '../numbers/verify-numbers.js';
import type { CrewPlan, PlannedSubject } from '../running/crew-plan.js';
import type { CrewPool } from '../running/crew-pool.js';
import { tripsVerdict } from '../trips/verify-trips.js';
import { type BenchProject, createBenchProject, readBenchProject } from './bench-project.js';
import type { GraphqlClient } from './graphql-client.js';
import { READ_TRIP, REQUEST_TRIP } from './graphql-operations.js';

/** Gateways to which a plan sends load. */
export interface GatewayPlace {
  readonly subject: string;
  readonly role: SubjectRole;
  readonly client: GraphqlClient;
  readonly crews: CrewPool;
}

export type GraphqlPlanShape = Omit<
  CrewPlan,
  'lead' | 'subjects' | 'rounds' | 'crew' | 'prepare' | 'verify' | 'metrics' | 'meter' | 'timing'
>;

function placed(places: readonly GatewayPlace[], subject: PlannedSubject): GatewayPlace {
  const place = places.find((candidate) => candidate.subject === subject.name);
  if (place === undefined) throw new Error(`no gateway for ${subject.name}`);
  return place;
}

/** What plans have in common whose callers are the GraphQL subjects of this name. */
function sharedBy(caller: string, shape: GraphqlPlanShape, places: readonly GatewayPlace[]) {
  return {
    ...shape,
    lead: { metric: 'p90Ms', unit: 'ms p90', better: 'less' },
    subjects: places.map(({ subject, role }) => ({ name: subject, role })),
    crew: (subject: PlannedSubject) => placed(places, subject).crews.get(caller, shape.processes),
  } as const;
}

/** Numbers of one series over GraphQL; each run has its own project. */
export function issuePlan(shape: GraphqlPlanShape, places: readonly GatewayPlace[]): CrewPlan {
  return {
    ...sharedBy('issue', shape, places),
    prepare: async (subject) => createBenchProject(placed(places, subject).client),
    verify: async ({ subject, facts }, records) => {
      const { client } = placed(places, subject);
      return numbersVerdict(records, await readBenchProject(client, facts as BenchProject));
    },
  };
}

/** Documents, each created with its number in one commit. At a rate that any office has, every one must be answered. */
export function createPlan(shape: GraphqlPlanShape, places: readonly GatewayPlace[]): CrewPlan {
  const plan = issuePlan(shape, places);
  return {
    ...plan,
    ...sharedBy('create', shape, places),
    verify: async (place, records) => {
      const { violations, verifiedCount } = await plan.verify(place, records);
      const failedCount = failedCountOf(records);
      const witness = `${failedCount} documents were not created`;
      const failed = failedCount === 0 ? [] : [{ rule: 'answered', witness } as const];
      return { violations: [...violations, ...failed], verifiedCount };
    },
  };
}

/** The smallest request to a gateway: an ID, which must be unique. */
export function mintPlan(shape: GraphqlPlanShape, places: readonly GatewayPlace[]): CrewPlan {
  return {
    ...sharedBy('mint', shape, places),
    lead: { metric: 'perSecond', unit: 'requests/s', better: 'more' },
    prepare: async () => ({}),
    verify: async (_place, records) => {
      const ids = records.flatMap((record) => record.answers.map(({ id }) => String(id)));
      return { violations: repeatedIds(ids), verifiedCount: ids.length };
    },
  };
}

/** Finds the first ID that was in two answers. */
export function repeatedIds(ids: readonly string[]): Violation[] {
  const clash = findDuplicates(ids);
  return clash ? [{ rule: 'unique', witness: `ID ${clash.later} was returned to two callers` }] : [];
}

let tripRuns = 0;

interface TripReply {
  readonly trip: { readonly driverId: string | null } | null;
}

/** All drivers accept simultaneously, each with their own identity; needs gateways in demo mode. */
export function acceptPlan(shape: GraphqlPlanShape, places: readonly GatewayPlace[]): CrewPlan {
  return {
    ...sharedBy('accept', shape, places),
    rounds: { countMax: 5, enoughMs: Number.POSITIVE_INFINITY },
    prepare: async (subject, round, load) => {
      tripRuns += 1;
      const { client } = placed(places, subject);
      const { requestTrip } = await client.ask<{ requestTrip: { id: string } }>({
        query: REQUEST_TRIP,
        variables: { input: { offerTtlMs: 600_000 } },
        headers: { 'x-demo-user': 'rider-1' },
      });
      return {
        tripIds: requestTrip.id,
        firstTripId: round,
        tripCount: 1,
        driversPerTrip: load.kind === 'list' ? load.count : shape.parallel,
        // Driver IDs have nine digits; those of this run begin above all demo users.
        firstDriverId: 100_000_000 + (tripRuns % 800) * 1_000_000,
        driverPool: 0,
      };
    },
    verify: async ({ subject, facts }, records) => {
      const { trip } = await placed(places, subject).client.ask<TripReply>({
        query: READ_TRIP,
        variables: { id: facts.tripIds },
      });
      const driver = trip?.driverId == null ? undefined : Number(trip.driverId);
      const stored = [{ trip: Number(facts.firstTripId), driver }];
      return tripsVerdict(records, { stored, onePerDriver: true });
    },
  };
}
