import { findDuplicates } from '@solegate/testkit';
import type { RunRecord } from '../measuring/recorder.js';
import type { Verdict, Violation } from '../measuring/result.js';
import { failedCountOf } from '../measuring/run-metrics.js';
import type { TripAnswer } from './trips-request.js';

export interface StoredTrip {
  readonly trip: number;
  /** The driver who has it, if any. */
  readonly driver: number | undefined;
}

export interface TripsEvidence {
  readonly answers: readonly TripAnswer[];
  readonly failedCount: number;
  readonly stored: readonly StoredTrip[];
  /** Whether the subject promises one active trip per driver. The earlier flows do not. */
  readonly onePerDriver: boolean;
}

/** Checks what the drivers of one run were answered; see {@link verifyTrips}. */
export function tripsVerdict(
  records: readonly RunRecord[],
  evidence: Pick<TripsEvidence, 'stored' | 'onePerDriver'>,
): Verdict {
  const answers = records.flatMap((record) => record.answers as readonly TripAnswer[]);
  const violations = verifyTrips({ ...evidence, answers, failedCount: failedCountOf(records) });
  return { violations, verifiedCount: answers.length };
}

/**
 * Checks the answers to drivers against the rows: at most one driver won each trip, the row names that driver, no
 * driver of a row was answered `lost`, every trip that a driver lost has a winner, and no driver has two trips.
 */
export function verifyTrips(evidence: TripsEvidence): Violation[] {
  const storedDriver = new Map(evidence.stored.map(({ trip, driver }) => [trip, driver]));
  const winners = new Map<number, number>();
  const losersOf = new Map<number, number[]>();
  const violations: Violation[] = [];
  for (const { kind, trip, driver } of evidence.answers) {
    if (kind === 'lost') losersOf.set(trip, [...(losersOf.get(trip) ?? []), driver]);
    if (kind !== 'won') continue;
    const other = winners.get(trip);
    if (other !== undefined && other !== driver) {
      violations.push({
        rule: 'one winner',
        witness: `trip ${trip} was promised to drivers ${other} and ${driver}`,
      });
    }
    winners.set(trip, driver);
  }
  for (const [trip, driver] of winners) violations.push(...wrongRow(trip, driver, storedDriver.get(trip)));
  violations.push(...strangeLosers(losersOf, storedDriver, evidence.failedCount));
  if (evidence.onePerDriver) violations.push(...busyTwice(evidence.stored));
  return violations;
}

function wrongRow(trip: number, driver: number, stored: number | undefined): Violation[] {
  if (stored === driver) return [];
  const row = stored === undefined ? 'nobody' : `driver ${stored}`;
  const witness = `driver ${driver} was answered that they have trip ${trip}, but the row has ${row}`;
  return [{ rule: 'answer = stored', witness }];
}

function strangeLosers(
  losersOf: ReadonlyMap<number, readonly number[]>,
  storedDriver: ReadonlyMap<number, number | undefined>,
  failedCount: number,
): Violation[] {
  const violations: Violation[] = [];
  for (const [trip, losers] of losersOf) {
    const stored = storedDriver.get(trip);
    if (stored === undefined && failedCount === 0) {
      const witness = `driver ${losers[0]} was answered that trip ${trip} is taken, but no driver has it`;
      violations.push({ rule: 'one winner', witness });
    }
    if (stored !== undefined && losers.includes(stored)) {
      const witness = `driver ${stored} has trip ${trip} but was answered that it is taken`;
      violations.push({ rule: 'answer = stored', witness });
    }
  }
  return violations;
}

function busyTwice(stored: readonly StoredTrip[]): Violation[] {
  const taken = stored.flatMap(({ trip, driver }) => (driver === undefined ? [] : [{ trip, driver }]));
  const clash = findDuplicates(taken, { value: ({ driver }) => driver });
  if (clash === undefined) return [];
  const { earlier, later } = clash;
  return [
    { rule: 'one winner', witness: `driver ${later.driver} has the trips ${earlier.trip} and ${later.trip}` },
  ];
}
