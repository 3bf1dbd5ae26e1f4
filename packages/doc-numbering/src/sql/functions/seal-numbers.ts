export const sealNumbersText = `-- document_number_lock_chains_v1: locks chains until the end of the transaction, and creates those that do not exist.
--
-- Arguments
--   chains: names, each once, in any order.
--   wait_ms: longest wait for each of them, from 1.
-- Reply: JSON. An array of chain, position (0 if it is new) and seal ('' if it is new), as they are after the wait.
-- Errors: 55P03, a wait was too long; 40001, above READ COMMITTED.
-- Locks: the chains in the order of their names. A transaction locks all its counters first, then all its chains in one
--   call, then the tables of its documents.
-- Order: new chains are created before any is locked, so that who waits for a name holds none that exists.
CREATE FUNCTION document_number_lock_chains_v1(chains text[], wait_ms integer) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
DECLARE
  heads json;
BEGIN
  PERFORM set_config('lock_timeout', wait_ms::text, true), set_config('document_number.writes', 'on', true);
  IF (SELECT count(*) FROM document_number_chains c WHERE c.chain = ANY (chains)) < cardinality(chains) THEN
    INSERT INTO document_number_chains (chain)
    SELECT w.chain FROM unnest(chains) AS w (chain) ORDER BY w.chain COLLATE "C"
    ON CONFLICT DO NOTHING;
  END IF;
  SELECT json_agg(json_build_object('chain', h.chain, 'position', h.position, 'seal', h.seal)) INTO heads
  FROM (
    SELECT c.chain, c.position, c.seal FROM document_number_chains c WHERE c.chain = ANY (chains) ORDER BY c.chain
    FOR NO KEY UPDATE
  ) h;
  PERFORM set_config('document_number.writes', 'off', true);
  RETURN heads;
END $$;

-- document_number_seal_v1: appends the seals of numbers to their chains.
--
-- Arguments
--   chains, counts: each chain once, and how many of the numbers below are its own.
--   counter_ids, sequences, seals: an element per number, those of the first chain first, each chain's in the order of
--     its seals. The numbers are drawn, and none has a seal.
-- Reply: void. Positions and previous seals are found here, so that no caller can leave one out.
-- Errors: 23502, there is no such chain, or a number is not drawn; 23505, the number has a seal, or the chain was not locked and has grown;
--   22000, there are more seals than the counts say.
-- Locks: none; the transaction has locked the chains (document_number_lock_chains_v1).
-- Shape: that numbers have been drawn is seen from their counters. To look each up in the ledger would cost a third more.
--   A counter is looked up by a subquery with a limit, because a join planned while there are few would later read all.
CREATE FUNCTION document_number_seal_v1(chains text[], counts integer[], counter_ids bigint[], sequences bigint[],
  seals text[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  setting text := set_config('document_number.writes', 'on', true);
  head record;
  first integer := 1;
  last integer;
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT w.counter_id, min(w.sequence) AS first, max(w.sequence) AS last
      FROM unnest(counter_ids, sequences) AS w (counter_id, sequence) GROUP BY w.counter_id
    ) d
    WHERE (d.first >= 1 AND d.last <=
      (SELECT c.last_number FROM document_number_counters c WHERE c.id = d.counter_id LIMIT 1)) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a number without a draw cannot be sealed' USING ERRCODE = 'not_null_violation';
  END IF;
  FOR head IN
    SELECT h.chain, h.position, h.seal, w.count
    FROM unnest(chains, counts) WITH ORDINALITY AS w (chain, count, place)
    LEFT JOIN document_number_chains h ON h.chain = w.chain
    ORDER BY w.place
  LOOP
    last := first + head.count - 1;
    INSERT INTO document_number_seals (chain, position, counter_id, sequence, previous, seal)
    SELECT head.chain, head.position + w.place, w.counter_id, w.sequence, w.previous, w.seal
    FROM unnest(counter_ids[first:last], sequences[first:last], head.seal || seals[first:last - 1], seals[first:last])
      WITH ORDINALITY AS w (counter_id, sequence, previous, seal, place);
    UPDATE document_number_chains h SET position = head.position + head.count, seal = seals[last]
    WHERE h.chain = head.chain;
    first := last + 1;
  END LOOP;
  IF first <= cardinality(seals) THEN
    RAISE EXCEPTION 'counts of % numbers, but % seals', first - 1, cardinality(seals)
      USING ERRCODE = 'data_exception';
  END IF;
  setting := set_config('document_number.writes', 'off', true);
END $$;
`;
