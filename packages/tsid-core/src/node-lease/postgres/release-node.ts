import { CLOCK } from './fleet-memory.js';

export const releaseNodeText = `-- tsid_node_release_v1: ends the window of a node early, right after the last timestamp that was minted.
--
-- Arguments: the node; the token that the holder has, and the one that it has if its last renewal was applied; the first
--   millisecond that was not minted in; the version that the holder has seen.
-- Reply: released, or lost when the node is no longer the caller's.
-- Locks: the row of the fleet, before the clock is read.
CREATE FUNCTION tsid_node_release_v1(
  own_node integer, own_token text, next_token text, unminted_from_ms bigint, known_version bigint
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  fleet tsid_allocator := tsid_fleet_lock_v1();
BEGIN
  -- A release does not measure silence: its caller would not wait for a quarantine.
  fleet := tsid_fleet_remember_v1(fleet, ${CLOCK}, known_version, NULL, false, false);
  UPDATE tsid_nodes n SET token = '-', ceiling_ms = least(n.ceiling_ms, greatest(n.floor_ms, unminted_from_ms))
  WHERE n.node = own_node AND n.token IN (own_token, next_token);
  IF NOT FOUND THEN
    RETURN '{"kind": "lost"}';
  END IF;
  fleet.version := greatest(fleet.version, known_version) + 1;
  PERFORM tsid_fleet_save_v1(fleet);
  RETURN '{"kind": "released"}';
END $$;

-- tsid_nodes_list_v1: who holds or last held each node that was ever used: a StoredFleet of lease-store.ts.
CREATE FUNCTION tsid_nodes_list_v1() RETURNS jsonb LANGUAGE sql SECURITY DEFINER AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('nowMs', ${CLOCK}, 'layout', max(a.layout),
    'safeAfterMs', coalesce(max(a.safe_after_ms), 0), 'allocatorId', max(a.allocator_id), 'nodes',
    coalesce((SELECT jsonb_agg(jsonb_build_object('node', n.node, 'ceilingMs', n.ceiling_ms, 'floorMs', n.floor_ms,
      'holder', n.holder)) FROM tsid_nodes n), '[]')))
  FROM tsid_allocator a
$$;

-- tsid_allocator_pin_v1: makes a store and its allocator those of this database, unless it has others. Returns what it has.
CREATE FUNCTION tsid_allocator_pin_v1(own_store text, own_allocator_id text, OUT store text, OUT allocator_id text)
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  fleet tsid_allocator := tsid_fleet_lock_v1();
BEGIN
  fleet.store := coalesce(fleet.store, own_store);
  fleet.allocator_id := coalesce(fleet.allocator_id, own_allocator_id);
  PERFORM tsid_fleet_save_v1(fleet);
  store := fleet.store;
  allocator_id := fleet.allocator_id;
END $$;
`;
