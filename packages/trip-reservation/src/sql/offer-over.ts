/**
 * Returns an SQL expression: whether the offer of the trip is over for good. An expired offer can still be won by a
 * statement that locked the row before the end and has not committed yet. So it is over only if its row can be locked
 * now: every statement that locks it later finds it expired. False while somebody else holds the row.
 *
 * @param trip the alias of `trips`
 */
export const isOfferOver = (trip: string): string => `
  CASE WHEN ${trip}.status = 'FINDING' AND ${trip}.offer_expires_at <= clock_timestamp() THEN EXISTS (
    SELECT FROM (
      SELECT FROM trips over WHERE over.id = ${trip}.id AND over.epoch = ${trip}.epoch AND over.status = 'FINDING'
        AND over.offer_expires_at <= clock_timestamp()
      FOR SHARE SKIP LOCKED
    ) lockable
  ) ELSE false END`;
