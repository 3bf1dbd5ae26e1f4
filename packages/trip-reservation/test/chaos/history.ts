import type { Pool } from 'pg';
import type { ChaosFlowName } from './protocol.js';

/** What is noted of a driver who, with every fault over, still hears UNDECIDED. */
export const NEVER_DECIDED = 'NEVER_DECIDED';

/** What is noted of a driver who could have the trip and was kept out of it by one who could not. */
export const KEPT_OUT = 'KEPT_OUT';

/** What is noted of a driver who heard UNDECIDED, did not ask again, and never heard of the trip again. */
export const LEFT_IN_SILENCE = 'LEFT_IN_SILENCE';

/** What is noted of a driver who hears TAKEN although the row has denied it for ten seconds. */
export const DENIED_FOR_LONG = 'DENIED_FOR_LONG';

/** What a driver was answered about one dispatch. */
export interface Answered {
  readonly tripId: string;
  readonly epoch: number;
  readonly driverId: string;
  readonly answered: string;
}

/** One change of a row, recorded by a trigger: what really happened, whatever anybody was answered. */
export interface Transition {
  readonly trip_id: string;
  readonly old_status: string;
  readonly new_status: string;
  readonly old_driver: string | null;
  readonly new_driver: string | null;
  readonly new_epoch: number;
}

/** Each promise by what its breaking is called, with the flow that lacks the guard behind it and so shows it. */
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
} as const satisfies Record<string, ChaosFlowName>;

export type Invariant = keyof typeof SHOWN_BY;

export const INVARIANTS = Object.keys(SHOWN_BY) as Invariant[];

/** The invariants of what is noted in place of an answer. */
const NOTED: Readonly<Record<string, Invariant>> = {
  [NEVER_DECIDED]: 'undecided after healing',
  [KEPT_OUT]: 'kept out by an ineligible driver',
  [LEFT_IN_SILENCE]: 'left in silence after undecided',
  [DENIED_FOR_LONG]: 'taken for ten seconds of denial',
};

export type ViolationCounts = Record<Invariant, number>;

/** Records each change of the table's rows in the order in which they were committed for a row. */
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

/** Holds what drivers were answered against what the rows went through. */
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
