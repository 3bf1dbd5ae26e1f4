import type { Pool } from 'pg';
import type { ChaosFlowName } from './protocol.js';

/** Recorded if a driver still gets UNDECIDED after all faults have ended. */
export const NEVER_DECIDED = 'NEVER_DECIDED';

/** Recorded if an ineligible driver kept an eligible one from the trip. */
export const KEPT_OUT = 'KEPT_OUT';

/** Recorded if a driver got UNDECIDED, watched the trip, and received no event. */
export const LEFT_IN_SILENCE = 'LEFT_IN_SILENCE';

/** Recorded if a driver got a trip after its offer had expired while its row was locked. */
export const WON_EXPIRED = 'WON_EXPIRED';

/** Recorded if a driver gets TAKEN ten seconds after the decision was lost. */
export const DENIED_FOR_LONG = 'DENIED_FOR_LONG';

/** Recorded if a trip was offered to a driver who was on another one. */
export const OFFERED_BUSY = 'OFFERED_BUSY';

/** The answer to one driver for one dispatch. */
export interface Answered {
  readonly tripId: string;
  readonly epoch: number;
  readonly driverId: string;
  readonly answered: string;
}

/** One change of a row, recorded by a trigger, independent of any answer. */
export interface Transition {
  readonly trip_id: string;
  readonly old_status: string;
  readonly new_status: string;
  readonly old_driver: string | null;
  readonly new_driver: string | null;
  readonly new_epoch: number;
}

/** Each invariant, with the flow that lacks its guard and therefore violates it. */
export const SHOWN_BY = {
  'two yes for one dispatch': 'control',
  'accepted row overwritten': 'control',
  'ended trip accepted': 'control',
  'driver on two trips': 'control',
  'yes but not stored': 'control',
  'winner heard taken': 'control',
  'taken though nobody had it': 'control',
  'kept out by an ineligible driver': 'control',
  'undecided after healing': 'unguarded',
  'left in silence after undecided': 'unguarded',
  'taken for ten seconds of denial': 'unguarded',
  'won after it expired': 'unguarded',
  'offered while on a trip': 'unguarded',
} as const satisfies Record<string, ChaosFlowName>;

export type Invariant = keyof typeof SHOWN_BY;

export const INVARIANTS = Object.keys(SHOWN_BY) as Invariant[];

/** The invariant for each recorded note. */
const NOTED: Readonly<Record<string, Invariant>> = {
  [NEVER_DECIDED]: 'undecided after healing',
  [KEPT_OUT]: 'kept out by an ineligible driver',
  [LEFT_IN_SILENCE]: 'left in silence after undecided',
  [DENIED_FOR_LONG]: 'taken for ten seconds of denial',
  [WON_EXPIRED]: 'won after it expired',
  [OFFERED_BUSY]: 'offered while on a trip',
};

export type ViolationCounts = Record<Invariant, number>;

/** Records each change of the table, per row in commit order. */
export async function recordTransitions(pool: Pool, table: string): Promise<void> {
  await pool.query(`
    CREATE TABLE transitions (
      place bigint GENERATED ALWAYS AS IDENTITY, trip_id bigint, old_status text, new_status text,
      old_driver bigint, new_driver bigint, new_epoch integer
    );
    CREATE FUNCTION record_transition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO transitions (trip_id, old_status, new_status, old_driver, new_driver, new_epoch)
      VALUES (NEW.id, OLD.status, NEW.status, OLD.driver_id, NEW.driver_id, NEW.epoch);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_transition AFTER UPDATE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION record_transition()`);
}

export async function readTransitions(pool: Pool): Promise<Transition[]> {
  return (await pool.query('SELECT * FROM transitions ORDER BY place')).rows;
}

const isActive = (status: string) => status === 'ACCEPTED' || status === 'IN_PROGRESS';
const hasEnded = (status: string) => status === 'CANCELLED' || status === 'COMPLETED' || status === 'EXPIRED';

/** Compares the answers with the recorded transitions. */
export function countViolations(
  answered: readonly Answered[],
  transitions: readonly Transition[],
): ViolationCounts {
  const counts = Object.fromEntries(INVARIANTS.map((name) => [name, 0])) as ViolationCounts;
  const winners = new Set<string>();
  const wonDispatches = new Set<string>();
  const tripsOfDriver = new Map<string, Set<string>>();
  for (const { trip_id, old_status, new_status, old_driver, new_driver, new_epoch } of transitions) {
    if (new_status === 'ACCEPTED' && new_driver !== null) {
      winners.add(`${trip_id}:${new_epoch}:${new_driver}`);
      wonDispatches.add(`${trip_id}:${new_epoch}`);
      if (isActive(old_status) && old_driver !== new_driver) counts['accepted row overwritten'] += 1;
      if (hasEnded(old_status)) counts['ended trip accepted'] += 1;
    }
    if (old_driver !== null) tripsOfDriver.get(old_driver)?.delete(trip_id);
    if (new_driver === null || !isActive(new_status)) continue;
    const trips = tripsOfDriver.get(new_driver) ?? new Set();
    tripsOfDriver.set(new_driver, trips.add(trip_id));
    if (trips.size > 1) counts['driver on two trips'] += 1;
  }
  const yesByDispatch = new Map<string, Set<string>>();
  for (const { tripId, epoch, driverId, answered: answer } of answered) {
    const hasWon = winners.has(`${tripId}:${epoch}:${driverId}`);
    const dispatch = `${tripId}:${epoch}`;
    if (answer === 'TAKEN' && hasWon) counts['winner heard taken'] += 1;
    if (answer === 'TAKEN' && !wonDispatches.has(dispatch)) counts['taken though nobody had it'] += 1;
    const noted = NOTED[answer];
    if (noted) counts[noted] += 1;
    if (answer !== 'ACCEPTED') continue;
    if (!hasWon) counts['yes but not stored'] += 1;
    yesByDispatch.set(dispatch, (yesByDispatch.get(dispatch) ?? new Set()).add(driverId));
  }
  for (const drivers of yesByDispatch.values()) {
    if (drivers.size > 1) counts['two yes for one dispatch'] += 1;
  }
  return counts;
}
