import { lockLimit } from '@solegate/postgres-infra';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { answerFor, READ_STANDING, standingOf } from '../sql/standing.js';
import { type AnswerOfferOptions, checkAnswer } from '../trip/commands.js';
import { BusyError, TripNotFoundError } from '../trip/errors.js';
import type { RejectOutcome } from '../trip/outcomes.js';

/**
 * The rejection is stored in the row of the trip, so that it and an accept by the same driver cannot both succeed.
 */
const REJECT_OFFER: TripStatement = {
  name: 'solegate_reject_offer',
  text: `
  WITH ${lockLimit('$1')}, held AS (
    SELECT t.id, t.offer_expires_at FROM lock_limit, trips t
    WHERE t.id = $2
      AND t.status = 'FINDING'
      AND t.epoch = $3
      AND (t.offered_driver_ids IS NULL OR $4 = ANY (t.offered_driver_ids))
      AND $4 <> ALL (t.excluded_driver_ids)
      AND $4 <> ALL (t.rejected_driver_ids)
    FOR UPDATE OF t
  )
  UPDATE trips t
  SET rejected_driver_ids = t.rejected_driver_ids || $4::bigint
  FROM held
  WHERE t.id = held.id AND held.offer_expires_at > clock_timestamp()
  RETURNING t.id`,
};

const ATTEMPT_MAX = 3;

/** Rejects the offer for the driver, who can no longer accept it. A repeat returns REJECTED again. */
export async function rejectTrip(call: StoreCall, options: AnswerOfferOptions): Promise<RejectOutcome> {
  checkAnswer(options);
  const { tripId, driverId, offerEpoch } = options;
  const rejected: RejectOutcome = { kind: 'REJECTED', tripId, offerEpoch };
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const [row] = await call.change(REJECT_OFFER, [String(tripId), offerEpoch, String(driverId)]);
    if (row) return rejected;
    const [standingRow] = await call.read(READ_STANDING, [`{${tripId}}`, `{${driverId}}`, 1]);
    // A driver on another trip is allowed to reject.
    const standing = { ...standingOf(standingRow), busyWith: undefined };
    if (standing.status === undefined) throw new TripNotFoundError(tripId);
    const answer = answerFor(standing, driverId, offerEpoch);
    if (answer?.kind === 'NOT_OFFERED' && answer.reason === 'REJECTED') return rejected;
    if (answer && answer.kind !== 'DRIVER_BUSY') return answer;
  }
  throw new BusyError(tripId);
}
