/** A ledger row `n` as pairs of a JSON object, as returned to a caller that repeats its key. */
export const REPLAY = `'issued', json_build_object('number', n.number, 'sequence', n.sequence, 'period', n.period,
          'date', n.business_date, 'formatVersion', coalesce(n.format_version, 0), 'counterId', n.counter_id::text,
          'id', n.id::text, 'status', n.status, 'guard', coalesce(n.guard, 'row'), 'waitedMs', coalesce(n.waited_ms, 0),
          'retryCount', coalesce(n.retry_count, 0)),
        'fingerprint', n.fingerprint, 'reservation', n.reservation,
        'expiresMs', extract(epoch FROM n.expires_at) * 1000`;
