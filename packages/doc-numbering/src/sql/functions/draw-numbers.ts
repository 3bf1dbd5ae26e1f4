import { REPLAY } from './replay.js';
import { THIS_SERVER } from './this-server.js';

/**
 * The first that applies to a locked counter `c` of a series `s`, of which is wanted what the arguments have at `place`.
 * `items` is the slice of the counter's items.
 */
const verdictAt = (place: string, items: string): string => `CASE
        WHEN server <> this_server THEN 'OTHER_SERVER'
        WHEN s.revision IS DISTINCT FROM revisions[${place}] THEN 'RULES_CHANGED'
        WHEN c.last_number < floors[${place}] THEN 'BELOW_MARK'
        WHEN c.version <> versions[${place}] THEN 'CONFLICT'
        WHEN s.blocked IS NOT NULL OR business_dates[${place}] <= s.closed_until
          OR greatest(final_dates[${place}], business_dates[${place}]) > s.open_until
          OR business_dates[${place}] > ANY (item_business_dates${items})
          OR greatest(final_dates[${place}], business_dates[${place}]) < ANY (item_business_dates${items}) THEN 'CLOSED'
        WHEN s.date_order AND business_dates[${place}] < c.last_date THEN 'DATE_ORDER'
        WHEN number_counts[${place}] < 1
          OR c.last_number + number_counts[${place}] > least(ceilings[${place}], s.end_at, s.manual_first - 1, 9007199254740991)
          THEN 'EXHAUSTED'
        ELSE 'GRANTED'
      END`;

const raiseBy = (place: string, items: string): string => {
  const versions = `array_remove(format_versions[${place}] || item_format_versions${items}, NULL)`;
  return `UPDATE document_number_counters c
      SET last_number = c.last_number + number_counts[${place}], version = c.version + 1,
        last_date = greatest(c.last_date, business_dates[${place}], final_dates[${place}]),
        printed_versions = CASE WHEN ${versions} <@ c.printed_versions THEN c.printed_versions
          ELSE document_number_distinct(c.printed_versions || ${versions}) END,
        updated_at = clock_timestamp()`;
};

/** Ledger rows of the counter at `place`; `i` is the item of the batch, from 1, and its sequence `base + i`. */
const recordAt = (
  place: string,
  { id, base, isHead, space, period }: Record<'id' | 'base' | 'isHead' | 'space' | 'period', string>,
): string => `INSERT INTO document_numbers (counter_id, sequence, id, expires_at, batch, reservation, batch_position,
        key_part, waited_ms, retry_count, format_version, business_date, batch_head, status, guard, space, number, period,
        actor, document, reason, idempotency_key, fingerprint)
      SELECT ${id}, ${base} + i, item_ids[i], CASE WHEN item_reservations[i] IS NOT NULL
          THEN drawn_at + coalesce(item_hold_ms[i], 300000) * interval '1 ms' END, batch, item_reservations[i], i,
        item_key_parts[i], item_waited_ms[i], retry_counts[${place}],
        coalesce(item_format_versions[i], format_versions[${place}]),
        coalesce(item_business_dates[i], business_dates[${place}]), ${isHead},
        CASE WHEN item_reservations[i] IS NULL THEN 'issued' ELSE 'reserved' END,
        CASE WHEN versions[${place}] IS NULL THEN 'row' ELSE 'redis+version' END, ${space},
        concat(coalesce(item_prefixes[i], prefixes[${place}]),
          repeat('0', coalesce(item_widths[i], widths[${place}]) - length((${base} + i)::text)), ${base} + i,
          coalesce(item_suffixes[i], suffixes[${place}])),
        ${period}, coalesce(item_actors[i], actors[${place}]), item_documents[i], item_reasons[i], item_keys[i],
        item_fingerprints[i]`;

const itemsOf = (place: string): string =>
  `[first_items[${place}]:first_items[${place}] + number_counts[${place}] - 1]`;

/**
 * The ledger row with the key of an item, if there is one. As a subquery with a limit it is planned by itself: where
 * statistics know of no keys, a join would read all of them for each item.
 */
const rowOfKey = (item: string, columns = 'n.sequence'): string => `SELECT ${columns}
      FROM document_numbers n
      WHERE n.space = s.space AND n.idempotency_key = item_keys[${item}] AND n.key_part = item_key_parts[${item}]
      LIMIT 1`;

export const drawNumbersText = `-- document_number_distinct: each element once. In PL/pgSQL, so that it is planned only when it is called.
CREATE FUNCTION document_number_distinct(elements integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT e FROM unnest(elements) e ORDER BY e);
END $$;

-- document_number_draw_v1: takes the next numbers of counters and records them in the ledger.
--
-- Arguments
--   batch: a UUID in the order of time. The first row of a batch is its head, which is unique in the ledger: if a reply is
--     lost, the batch can be looked for and the same call repeated, but never committed twice.
--   wait_ms: longest wait for locked counters, from 1; NULL skips them.
--   server: the server for which floors are known, as in an earlier reply; nothing is drawn on any other. NULL: any.
--   One element per counter:
--     counter_ids, each once; number_counts, from 1; revisions of their series, for which the requests were resolved;
--     business_dates, the earliest of the numbers; actors; how numbers are printed: prefixes, widths of the sequence with
--     leading zeros, suffixes, format_versions.
--     Optional: final_dates, the latest of the numbers; ceilings, the last sequence that the format can print; floors,
--     below which numbers were lost; versions, at which alone to draw; retry_counts.
--   One element per number, those of the first counter first; all optional:
--     item_waited_ms, item_ids, item_documents, item_reasons; item_keys with item_key_parts (1, 2, ... for the numbers of
--     one request) and item_fingerprints; item_reservations (a secret) with item_hold_ms (default 300,000); and what differs from the
--     counter's element: item_prefixes, item_widths, item_suffixes, item_format_versions, item_business_dates,
--     item_actors.
-- Reply: JSON. server; nowMs, when the counters were locked; counters, each with its state before the draw and a verdict, the
--   first that applies:
--     REPLAYED       keys of the batch have numbers already: nothing was drawn, and replays has their ledger rows
--     OTHER_SERVER   not the expected server
--     RULES_CHANGED  the series has another revision: the request has to be resolved again
--     BELOW_MARK     the counter is below its floor: numbers were lost
--     CONFLICT       the counter has another version
--     CLOSED         the series is blocked, or a date is in a closed period or not between the earliest and the latest
--     DATE_ORDER     a date is before the counter's last one, which the series forbids
--     EXHAUSTED      too few numbers are left below the ceiling, the series' end or its manual interval
--     GRANTED        the numbers after last are recorded, in the order of the items
--   A counter that was skipped, or does not exist, is not in the reply.
-- Errors: 55P03, a wait was too long; 23505, another transaction has recorded the key, id or text in the meantime; 40001,
--   above READ COMMITTED.
-- Locks: the counters in the order of their ids. Above READ COMMITTED, then their series FOR SHARE: a snapshot older than a
--   change of the rules ends in 40001.
-- Order: lock, then read keys and rules in a new snapshot, then raise and record. So whatever was committed while the call
--   waited applies to it.
-- Shape: a single counter with one key at most, the most frequent call, has statements of its own; whatever they do not
--   grant goes the general way. The reply is one value, because a row source that is stored before it is read (a CTE, a
--   function in FROM, a reply of rows) costs as much as the insert of a row.
CREATE FUNCTION document_number_draw_v1(
  batch uuid, wait_ms integer, server text,
  counter_ids bigint[], number_counts integer[], revisions bigint[], business_dates date[], actors text[],
  prefixes text[], widths integer[], suffixes text[], format_versions integer[],
  final_dates date[] DEFAULT NULL, ceilings bigint[] DEFAULT NULL, floors bigint[] DEFAULT NULL,
  versions bigint[] DEFAULT NULL, retry_counts integer[] DEFAULT NULL,
  item_waited_ms integer[] DEFAULT NULL, item_ids bigint[] DEFAULT NULL, item_documents text[] DEFAULT NULL,
  item_reasons text[] DEFAULT NULL, item_keys text[] DEFAULT NULL, item_key_parts integer[] DEFAULT NULL,
  item_fingerprints text[] DEFAULT NULL, item_reservations uuid[] DEFAULT NULL, item_hold_ms bigint[] DEFAULT NULL,
  item_prefixes text[] DEFAULT NULL, item_suffixes text[] DEFAULT NULL, item_widths integer[] DEFAULT NULL,
  item_format_versions integer[] DEFAULT NULL, item_business_dates date[] DEFAULT NULL, item_actors text[] DEFAULT NULL
) RETURNS json LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '1s' SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  this_server CONSTANT text := ${THIS_SERVER};
  -- Assigned, because PERFORM would run a statement. While locked counters are skipped, a key or an id that another
  -- transaction has just recorded is waited for, but not long.
  setting text := set_config('lock_timeout', coalesce(wait_ms, 50)::text, true)
    || set_config('document_number.writes', 'on', true);
  base bigint;
  raised_version bigint;
  space_of text;
  period_of text;
  -- Of a batch over several counters: those locked, and the first item of each.
  locked_ids bigint[];
  first_items integer[];
  started timestamptz;
  drawn_at timestamptz;
  one bigint;
  replays json;
  states json;
BEGIN
  IF cardinality(counter_ids) = 1 AND wait_ms IS NOT NULL AND coalesce(cardinality(item_keys), 1) = 1
    AND current_setting('transaction_isolation') = 'read committed'
  THEN
    PERFORM FROM document_number_counters c WHERE c.id = counter_ids[1] FOR NO KEY UPDATE;
    drawn_at := clock_timestamp();
    ${raiseBy('1', '')}
    FROM document_number_series s
    WHERE c.id = counter_ids[1] AND s.id = c.series_id AND ${verdictAt('1', '')} = 'GRANTED'
      AND CASE WHEN item_keys IS NULL THEN true ELSE (${rowOfKey('1')}) IS NULL END
    RETURNING c.last_number - number_counts[1], c.version, s.space, c.period
    INTO base, raised_version, space_of, period_of;
    IF FOUND THEN
      ${recordAt('1', { id: 'counter_ids[1]', base: 'base', isHead: 'i = 1', space: 'space_of', period: 'period_of' })}
      FROM (SELECT generate_series(1, number_counts[1]) AS i) items;
      setting := set_config('document_number.writes', 'off', true);
      -- Functions that build JSON look up the type of each value.
      RETURN concat('{"server":"', this_server, '","nowMs":', extract(epoch FROM drawn_at) * 1000,
        ',"counters":[{"counterId":"', counter_ids[1], '","verdict":"GRANTED","last":', base,
        ',"version":', raised_version - 1, '}]}');
    END IF;
  END IF;

  IF wait_ms IS NULL THEN
    locked_ids := ARRAY(
      SELECT c.id FROM document_number_counters c WHERE c.id = ANY (counter_ids) ORDER BY c.id
      FOR NO KEY UPDATE SKIP LOCKED
    );
  ELSE
    locked_ids := counter_ids;
    started := clock_timestamp();
    -- The limit applies to each wait: each gets the time that is left.
    FOR one IN SELECT w FROM unnest(counter_ids) w ORDER BY w LOOP
      setting := set_config('lock_timeout',
        greatest(1, wait_ms - floor(1000 * extract(epoch FROM clock_timestamp() - started)))::text, true);
      PERFORM FROM document_number_counters c WHERE c.id = one FOR NO KEY UPDATE;
    END LOOP;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM FROM document_number_series s
    WHERE s.id IN (SELECT c.series_id FROM document_number_counters c WHERE c.id = ANY (counter_ids))
    ORDER BY s.id
    FOR SHARE;
  END IF;
  drawn_at := clock_timestamp();

  first_items := ARRAY(
    SELECT 1 + sum(n) OVER (ORDER BY place) - n FROM unnest(number_counts) WITH ORDINALITY AS w (n, place)
  );
  IF item_keys IS NOT NULL THEN
    SELECT json_agg(k.replay) INTO replays
    FROM (SELECT generate_series(1, cardinality(counter_ids)) AS place) w
    JOIN document_number_counters c ON c.id = counter_ids[w.place]
    JOIN document_number_series s ON s.id = c.series_id
    CROSS JOIN LATERAL (
      SELECT generate_series(first_items[w.place], first_items[w.place] + number_counts[w.place] - 1) AS item
    ) i
    CROSS JOIN LATERAL (
      ${rowOfKey('i.item', `json_build_object('position', i.item, ${REPLAY}) AS replay`)}
    ) k;
  END IF;

  WITH judged AS MATERIALIZED (
    SELECT c.id, c.last_number, c.version, c.last_date, c.period, s.revision, s.space, w.place,
      CASE WHEN replays IS NULL THEN ${verdictAt('w.place', itemsOf('w.place'))} ELSE 'REPLAYED' END AS verdict
    FROM (SELECT generate_series(1, cardinality(counter_ids)) AS place) w
    JOIN document_number_counters c ON c.id = counter_ids[w.place]
    JOIN document_number_series s ON s.id = c.series_id
    WHERE c.id = ANY (locked_ids)
  ),
  raised AS (
    ${raiseBy('j.place', itemsOf('j.place'))}
    FROM judged j
    WHERE c.id = j.id AND j.verdict = 'GRANTED'
  ),
  recorded AS (
    ${recordAt('g.place', { id: 'g.id', base: 'g.base', isHead: 'i = g.head_item', space: 'g.space', period: 'g.period' })}
    FROM (
      SELECT j.id, j.place, j.space, j.period, j.last_number - first_items[j.place] + 1 AS base,
        (SELECT first_items[min(place)] FROM judged WHERE verdict = 'GRANTED') AS head_item
      FROM judged j
      WHERE j.verdict = 'GRANTED'
    ) g
    CROSS JOIN LATERAL (
      SELECT generate_series(first_items[g.place], first_items[g.place] + number_counts[g.place] - 1) AS i
    ) items
  )
  SELECT json_agg(json_build_object('counterId', j.id::text, 'verdict', j.verdict, 'last', j.last_number,
    'version', j.version, 'lastDate', j.last_date, 'revision', j.revision)) INTO states FROM judged j;
  setting := set_config('document_number.writes', 'off', true);
  RETURN json_build_object('server', this_server, 'nowMs', extract(epoch FROM drawn_at) * 1000, 'counters',
    coalesce(states, '[]'), 'replays', replays);
END $$;
`;
