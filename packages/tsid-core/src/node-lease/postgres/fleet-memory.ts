/** The clock of the server, to be read when the row of the fleet is locked. */
export const CLOCK = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** Which server this is: the cluster, its timeline, the start of the postmaster, the database. No dots. */
export const SERVER = `(SELECT concat_ws('-', c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    floor(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, d.oid)
  FROM pg_control_system() c, pg_database d WHERE d.datname = current_database())`;

/** Whether the row of the fleet is the one that its last move wrote, and no copy. */
export const AS_LEFT = `EXISTS (SELECT FROM tsid_allocator o WHERE o.xmin = o.written_in::xid)`;

export const fleetMemoryText = `-- tsid_fleet_lock_v1: locks the row of the fleet until the end of the transaction, so that moves happen one after the
-- other. Read the clock after that. The commit is not confirmed before it is flushed, and replicated if the server says
-- so: in the head of a function the setting would have no effect at its commit.
CREATE FUNCTION tsid_fleet_lock_v1() RETURNS tsid_allocator LANGUAGE plpgsql AS $$
DECLARE
  fleet tsid_allocator;
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM set_config('lock_timeout', '2000', true);
  INSERT INTO tsid_allocator DEFAULT VALUES ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT fleet FROM tsid_allocator FOR UPDATE;
  RETURN fleet;
END $$;

-- tsid_fleet_pin_v1: the first setting in which the caller differs from the fleet, and NULL if there is none.
CREATE FUNCTION tsid_fleet_pin_v1(fleet tsid_allocator, own_layout text, own_epoch_ms bigint, own_allocator_id text)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('kind', 'pinned', 'field', field, 'pinned', pinned)
  FROM (VALUES ('store', fleet.store, 'PostgreSQL'), ('layout', fleet.layout, own_layout),
    ('epochMs', fleet.epoch_ms::text, own_epoch_ms::text), ('allocatorId', fleet.allocator_id, own_allocator_id)
  ) AS settings (field, pinned, own)
  WHERE pinned <> own LIMIT 1
$$;

-- tsid_fleet_remember_v1: checks whether the tables still have everything that was granted, and opens a quarantine if
-- they might not: the same rules, reasons and lives as in Redis, with the server in the place of its run ID.
--   EMPTY         nothing was ever granted here
--   RESTARTED     the rows were written by another server: a restart, a crash, a promotion, a restored copy. A promotion of
--                 an asynchronous standby may have lost grants and renewals; until its quarantine ends, holders report them
--   ENTRIES_LOST  the caller was granted a node before, but the row of the fleet is empty; or rows of nodes are missing
--   ROLLED_BACK   a holder has seen a later version: older rows were restored; or a silence as below of a row that is a copy
--   SILENT, IDLE  no contact for longer than a quarantine, while a node was held, or not: another server may have stood in
CREATE FUNCTION tsid_fleet_remember_v1(
  fleet tsid_allocator, now_ms bigint, known_version bigint, own_quarantine_ms bigint, is_trusted boolean,
  is_clock_right boolean
) RETURNS tsid_allocator LANGUAGE plpgsql AS $$
DECLARE
  before CONSTANT tsid_allocator := fleet;
  this_server CONSTANT text := ${SERVER};
  node_count CONSTANT integer := (SELECT count(*) FROM tsid_nodes);
  length_ms CONSTANT bigint := coalesce(nullif(fleet.quarantine_ms, 0), 35000);
  happened CONSTANT text := CASE
    WHEN fleet.server IS NULL AND known_version = 0 AND NOT EXISTS (SELECT FROM tsid_nodes) THEN 'EMPTY'
    WHEN fleet.server IS NULL THEN 'ENTRIES_LOST'
    WHEN fleet.server <> this_server THEN 'RESTARTED'
    WHEN fleet.node_count <> node_count THEN 'ENTRIES_LOST'
    WHEN fleet.version < known_version AND (now_ms >= fleet.safe_after_ms OR fleet.reason = 'IDLE') THEN 'ROLLED_BACK'
    WHEN now_ms < fleet.safe_after_ms OR NOT is_clock_right THEN NULL
    WHEN fleet.touched_ms = 0 THEN fleet.reason
    WHEN now_ms - fleet.touched_ms <= length_ms THEN NULL
    WHEN EXISTS (SELECT FROM tsid_nodes n WHERE n.ceiling_ms > fleet.touched_ms AND n.token <> '-') THEN 'SILENT'
    WHEN ${AS_LEFT} THEN 'IDLE'
    ELSE 'ROLLED_BACK'
  END;
BEGIN
  IF happened IS NOT NULL THEN
    fleet.safe_after_ms := now_ms + CASE
      WHEN is_trusted AND happened IN ('EMPTY', 'RESTARTED', 'IDLE') THEN 0
      WHEN happened = 'IDLE' THEN least(length_ms, 2000)
      ELSE length_ms
    END;
    fleet.server := this_server;
    fleet.node_count := node_count;
    fleet.reason := happened;
    fleet.life := this_server || '.' || now_ms;
    fleet.touched_ms := CASE WHEN is_clock_right THEN now_ms ELSE 0 END;
  END IF;
  -- A caller that was granted a node before knows how long its fleet waits, and that these tables were not empty at first.
  IF known_version > 0 AND own_quarantine_ms IS NOT NULL THEN
    IF fleet.quarantine_ms = 0 THEN
      IF now_ms < fleet.safe_after_ms THEN
        fleet.safe_after_ms := fleet.safe_after_ms - 35000 + own_quarantine_ms;
      END IF;
      fleet.quarantine_ms := own_quarantine_ms;
    END IF;
    IF now_ms < fleet.safe_after_ms AND fleet.reason = 'EMPTY' THEN
      fleet.reason := 'ENTRIES_LOST';
    END IF;
  END IF;
  IF is_trusted AND fleet.reason = 'EMPTY' AND now_ms < fleet.safe_after_ms THEN
    fleet.safe_after_ms := now_ms;
  END IF;
  IF fleet IS DISTINCT FROM before THEN
    PERFORM tsid_fleet_save_v1(fleet);
  END IF;
  RETURN fleet;
END $$;

-- tsid_fleet_save_v1: writes the row of the fleet. A copy that was restored stays one until a contact has measured the
-- silence.
CREATE FUNCTION tsid_fleet_save_v1(fleet tsid_allocator) RETURNS void LANGUAGE sql AS $$
  UPDATE tsid_allocator a SET (store, allocator_id, layout, epoch_ms, quarantine_ms, server, life, version, touched_ms,
    safe_after_ms, reason, node_count, region, written_in) = ROW (fleet.store, fleet.allocator_id, fleet.layout,
    fleet.epoch_ms, fleet.quarantine_ms, fleet.server, fleet.life, fleet.version, fleet.touched_ms, fleet.safe_after_ms,
    fleet.reason, fleet.node_count, fleet.region,
    CASE WHEN a.touched_ms <> fleet.touched_ms OR ${AS_LEFT} THEN pg_current_xact_id() ELSE a.written_in END)
$$;
`;
