import { CLOCK } from './fleet-memory.js';

export const claimNodeText = `-- tsid_node_claim_v1: grants a node for a window of timestamps: the last one never used, else the one whose window ended
-- longest ago.
--
-- Arguments
--   claim_name: a random name of this attempt and the first token; is_repeat: it was sent before and got no reply.
--   is_trusted: the caller vouches for tables that remember nothing. first_node, last_node: which may be granted.
--   own_layout, own_epoch_ms, own_allocator_id: what the fleet agrees on; insists: any other allocator is refused.
--   own_quarantine_ms, known_version: as in an earlier reply. own_ms: the clock of the caller.
--   regions: every region of the fleet with its first and last node, {"north": [0, 511]}; {} without regions.
--   own_region: the one of this database; NULL for the one of its first grant.
-- Reply: a ClaimReply of lease-store.ts.
-- Locks: the row of the fleet. A caller that is refused changes nothing that the fleet agrees on.
CREATE FUNCTION tsid_node_claim_v1(
  claim_name text, holder_name text, is_repeat boolean, is_trusted boolean, first_node integer, last_node integer,
  own_layout text, own_epoch_ms bigint, own_allocator_id text, insists boolean, window_ms bigint, skew_max_ms bigint,
  own_quarantine_ms bigint, known_version bigint, own_ms bigint, regions jsonb,
  own_region text
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  fleet tsid_allocator := tsid_fleet_lock_v1();
  now_ms CONSTANT bigint := ${CLOCK};
  pinned jsonb := tsid_fleet_pin_v1(fleet, own_layout, own_epoch_ms, CASE WHEN insists THEN own_allocator_id END);
  own_nodes CONSTANT int4range := int4range(first_node, last_node, '[]');
  lease tsid_nodes;
BEGIN
  IF pinned IS NULL THEN
    pinned := tsid_node_range_fault_v1(regions, own_region, coalesce(fleet.region, own_region), own_nodes);
  END IF;
  IF pinned IS NOT NULL THEN
    RETURN pinned;
  END IF;
  IF abs(own_ms - now_ms) > skew_max_ms THEN
    RETURN jsonb_build_object('kind', 'clock', 'aheadMs', own_ms - now_ms);
  END IF;
  fleet := tsid_fleet_remember_v1(fleet, now_ms, known_version, own_quarantine_ms, is_trusted, true);
  -- Windows longer than the fleet's quarantine covers must be declared first: see quarantineMs.
  IF fleet.quarantine_ms > 0 AND window_ms + skew_max_ms > fleet.quarantine_ms THEN
    RETURN jsonb_build_object('kind', 'pinned', 'field', 'quarantineMs', 'pinned', fleet.quarantine_ms::text);
  END IF;

  -- A claim whose reply was lost gets the same grant again. It is written again, so that this commit, too, is replicated.
  IF is_repeat THEN
    SELECT * INTO lease FROM tsid_nodes n
    WHERE n.token = claim_name AND n.claim = claim_name AND n.ceiling_ms > now_ms;
  END IF;
  IF lease.node IS NULL THEN
    -- While the fleet has agreed on no quarantine, a caller with long windows waits for one that covers its own.
    IF now_ms < fleet.safe_after_ms OR (NOT is_trusted AND fleet.quarantine_ms = 0
      AND now_ms < fleet.safe_after_ms + greatest(0, own_quarantine_ms - 35000))
    THEN
      fleet.touched_ms := now_ms;
      PERFORM tsid_fleet_save_v1(fleet);
      RETURN jsonb_build_object('kind', 'quarantined', 'reason', fleet.reason, 'leftMs', fleet.safe_after_ms - now_ms
        + CASE WHEN fleet.quarantine_ms = 0 THEN greatest(0, own_quarantine_ms - 35000) ELSE 0 END);
    END IF;
    IF (SELECT count(*) FROM tsid_nodes n WHERE n.node BETWEEN first_node AND last_node) <= last_node - first_node THEN
      SELECT unused INTO lease.node FROM generate_series(first_node, last_node) AS unused
      WHERE NOT EXISTS (SELECT FROM tsid_nodes n WHERE n.node = unused) ORDER BY unused DESC LIMIT 1;
    ELSE
      SELECT n.node INTO lease.node FROM tsid_nodes n
      WHERE n.node BETWEEN first_node AND last_node AND n.ceiling_ms <= now_ms ORDER BY n.ceiling_ms, n.node LIMIT 1;
    END IF;
    lease.floor_ms := now_ms;
    lease.ceiling_ms := now_ms + window_ms;
  END IF;
  IF lease.node IS NULL THEN
    RETURN (SELECT jsonb_build_object('kind', 'exhausted', 'liveCount', count(*),
      'nextEndsInMs', coalesce(min(n.ceiling_ms) - now_ms, 0)) FROM tsid_nodes n
      WHERE n.node BETWEEN first_node AND last_node AND n.ceiling_ms > now_ms);
  END IF;

  INSERT INTO tsid_nodes AS n (node, ceiling_ms, floor_ms, token, claim, life, holder)
  VALUES (lease.node, lease.ceiling_ms, lease.floor_ms, claim_name, claim_name, fleet.life, holder_name)
  ON CONFLICT (node) DO UPDATE SET (ceiling_ms, floor_ms, token, claim, life, holder)
    = ROW (excluded.ceiling_ms, excluded.floor_ms, excluded.token, excluded.claim, excluded.life, excluded.holder);
  fleet.node_count := (SELECT count(*) FROM tsid_nodes);
  INSERT INTO tsid_node_ranges (region, nodes)
  SELECT key, int4range((value ->> 0)::integer, (value ->> 1)::integer, '[]') FROM jsonb_each(regions)
  ON CONFLICT (region) DO NOTHING;
  fleet.region := coalesce(fleet.region, own_region, (SELECT r.region FROM tsid_node_ranges r WHERE r.nodes @> own_nodes));
  fleet.store := 'PostgreSQL';
  fleet.allocator_id := coalesce(fleet.allocator_id, own_allocator_id);
  fleet.layout := own_layout;
  fleet.epoch_ms := own_epoch_ms;
  fleet.quarantine_ms := greatest(fleet.quarantine_ms, own_quarantine_ms);
  fleet.version := greatest(fleet.version, known_version) + 1;
  fleet.touched_ms := now_ms;
  PERFORM tsid_fleet_save_v1(fleet);
  RETURN jsonb_build_object('kind', 'granted', 'node', lease.node, 'floorMs', lease.floor_ms,
    'ceilingMs', lease.ceiling_ms, 'nowMs', now_ms, 'allocatorId', fleet.allocator_id, 'version', fleet.version,
    'quarantineMs', fleet.quarantine_ms, 'liveCount', (SELECT count(*) FROM tsid_nodes n
      WHERE n.node BETWEEN first_node AND last_node AND n.ceiling_ms > now_ms));
END $$;

-- tsid_node_range_fault_v1: what the caller must not have: a region with other nodes than before, nodes of another region, or,
-- where there are regions, nodes outside of home, the region of this database, or of all regions while it has none. NULL if
-- all is well.
CREATE FUNCTION tsid_node_range_fault_v1(regions jsonb, own_region text, home text, own_nodes int4range)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH given AS (
    SELECT key AS region, int4range((value ->> 0)::integer, (value ->> 1)::integer, '[]') AS nodes FROM jsonb_each(regions)
  ), ranges AS (
    SELECT region, nodes FROM tsid_node_ranges UNION SELECT region, nodes FROM given
  ), faults AS (
    SELECT r.region, r.nodes FROM tsid_node_ranges r JOIN given g
      ON (r.region = g.region AND r.nodes <> g.nodes) OR (r.region <> g.region AND r.nodes && g.nodes)
    UNION ALL
    SELECT r.region, r.nodes FROM ranges r WHERE r.region = coalesce(home, r.region) AND (own_region <> home OR NOT EXISTS (
      SELECT FROM ranges o WHERE o.region = coalesce(home, o.region) AND o.nodes @> own_nodes))
  )
  SELECT jsonb_build_object('kind', 'pinned', 'field', 'nodes',
    'pinned', format('%s to %s for %s', lower(nodes), upper(nodes) - 1, region)) FROM faults LIMIT 1
$$;
`;
