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
-- Arguments, an element per number, in the order of the seals: chains; counter_ids and sequences of rows in the ledger,
--   of which none has a seal; seals.
-- Reply: void. Positions and previous seals are found here, so that no caller can leave one out.
-- Errors: 23502, there is no such chain or number; 23505, the number has a seal, or the chain was not locked and has grown.
-- Locks: none; the transaction has locked the chains (document_number_lock_chains_v1).
-- Shape: a number is looked up by a subquery with a limit, because a join planned while the ledger is small would later
--   read all of it.
CREATE FUNCTION document_number_seal_v1(chains text[], counter_ids bigint[], sequences bigint[], seals text[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  setting text := set_config('document_number.writes', 'on', true);
BEGIN
  INSERT INTO document_number_seals (chain, position, counter_id, sequence, previous, seal)
  SELECT w.chain, h.position + row_number() OVER in_chain, w.counter_id,
    (SELECT n.sequence FROM document_numbers n WHERE n.counter_id = w.counter_id AND n.sequence = w.sequence LIMIT 1),
    lag(w.seal, 1, h.seal) OVER in_chain, w.seal
  FROM unnest(chains, counter_ids, sequences, seals) WITH ORDINALITY AS w (chain, counter_id, sequence, seal, place)
  LEFT JOIN document_number_chains h ON h.chain = w.chain
  WINDOW in_chain AS (PARTITION BY w.chain ORDER BY w.place);
  UPDATE document_number_chains h SET position = h.position + l.added, seal = seals[l.place]
  FROM (
    SELECT w.chain, count(*) AS added, max(w.place) AS place
    FROM unnest(chains) WITH ORDINALITY AS w (chain, place)
    GROUP BY w.chain
  ) l
  WHERE h.chain = l.chain;
  setting := set_config('document_number.writes', 'off', true);
END $$;
`;
