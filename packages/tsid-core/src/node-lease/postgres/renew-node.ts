import { CLOCK } from './fleet-memory.js';

export const renewNodeText = `-- tsid_node_renew_v1: extends the window of a node for its holder, or lets it report the node after a promotion.
--
-- Arguments: the grant as the holder knows it, with the token that it has and the one that replaces it; what the fleet
--   agrees on, the facts of earlier replies and the range of the holder, as in tsid_node_claim_v1.
-- Reply: a RenewReply of lease-store.ts.
-- Locks: the row of the fleet, before the clock is read.
CREATE FUNCTION tsid_node_renew_v1(
  own_node integer, own_token text, next_token text, own_claim text, holder_name text, own_floor_ms bigint,
  own_ceiling_ms bigint, own_layout text, own_epoch_ms bigint, own_allocator_id text, window_ms bigint,
  skew_max_ms bigint, own_quarantine_ms bigint, known_version bigint, own_ms bigint,
  first_node integer, last_node integer
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  fleet tsid_allocator := tsid_fleet_lock_v1();
  now_ms CONSTANT bigint := ${CLOCK};
  pinned CONSTANT jsonb := tsid_fleet_pin_v1(fleet, own_layout, own_epoch_ms, own_allocator_id);
  -- While the clocks differ, a silence may be a jump of one of them.
  is_clock_right CONSTANT boolean := abs(own_ms - now_ms) <= skew_max_ms;
  lease tsid_nodes;
  is_known boolean;
  extended_ms bigint;
  longer_ms bigint;
BEGIN
  IF pinned IS NOT NULL THEN
    RETURN pinned;
  END IF;
  fleet := tsid_fleet_remember_v1(fleet, now_ms, known_version, own_quarantine_ms, false, is_clock_right);
  SELECT * INTO lease FROM tsid_nodes n WHERE n.node = own_node;
  is_known := coalesce(lease.token IN (own_token, next_token), false);
  IF lease.node IS NOT NULL AND NOT is_known AND (lease.life = fleet.life OR lease.ceiling_ms >= own_ceiling_ms) THEN
    RETURN jsonb_build_object('kind', 'lost', 'detail', 'the token is not the last one');
  END IF;
  IF lease.life = fleet.life THEN
    -- Granted or reported in this life: what the row says decides.
    IF now_ms >= lease.ceiling_ms THEN
      RETURN jsonb_build_object('kind', 'ended', 'nowMs', now_ms,
        'detail', format('the window ended %s ms ago', now_ms - lease.ceiling_ms));
    END IF;
  -- There is no row, or one of another life, which may be too old but never too new.
  ELSIF now_ms >= fleet.safe_after_ms THEN
    RETURN jsonb_build_object('kind', 'lost', 'detail', 'it was not reported in time');
  -- By the clock that granted it, the window may have ended already, and the node may have another holder.
  ELSIF now_ms + skew_max_ms >= own_ceiling_ms THEN
    RETURN jsonb_build_object('kind', 'ended', 'nowMs', now_ms,
      'detail', format('too little of the window is left to report it: %s ms', own_ceiling_ms - now_ms));
  ELSIF lease.ceiling_ms > own_ceiling_ms AND NOT is_known THEN
    RETURN jsonb_build_object('kind', 'lost', 'detail', 'it was granted again later');
  END IF;

  -- A wrong clock extends the window no further than that of its holder does, or it would outlast a quarantine.
  extended_ms := greatest(lease.ceiling_ms, own_ceiling_ms,
    CASE WHEN is_clock_right THEN now_ms ELSE least(now_ms, own_ms) END + window_ms);
  INSERT INTO tsid_nodes AS n (node, ceiling_ms, floor_ms, token, claim, life, holder)
  VALUES (own_node, extended_ms, own_floor_ms, next_token, own_claim, fleet.life, holder_name)
  ON CONFLICT (node) DO UPDATE SET (ceiling_ms, floor_ms, token, claim, life, holder)
    = ROW (excluded.ceiling_ms, excluded.floor_ms, excluded.token, excluded.claim, excluded.life, excluded.holder);
  fleet.node_count := (SELECT count(*) FROM tsid_nodes);
  -- The longest quarantine that any holder has seen, also while one is open.
  longer_ms := greatest(fleet.quarantine_ms, own_quarantine_ms);
  IF now_ms < fleet.safe_after_ms THEN
    fleet.safe_after_ms := fleet.safe_after_ms - fleet.quarantine_ms + longer_ms;
  END IF;
  fleet.quarantine_ms := longer_ms;
  fleet.store := 'PostgreSQL';
  fleet.layout := own_layout;
  fleet.epoch_ms := own_epoch_ms;
  fleet.allocator_id := own_allocator_id;
  fleet.version := greatest(fleet.version, known_version) + 1;
  fleet.touched_ms := CASE WHEN is_clock_right THEN now_ms ELSE fleet.touched_ms END;
  PERFORM tsid_fleet_save_v1(fleet);
  RETURN jsonb_build_object('kind', 'renewed', 'ceilingMs', extended_ms, 'nowMs', now_ms, 'version', fleet.version,
    'quarantineMs', fleet.quarantine_ms, 'liveCount', (SELECT count(*) FROM tsid_nodes n
      WHERE n.node BETWEEN first_node AND last_node AND n.ceiling_ms > now_ms));
END $$;
`;
