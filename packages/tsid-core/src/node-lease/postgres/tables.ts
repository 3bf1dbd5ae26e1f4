export const tablesText = `-- At most one row: the one store that gives this database's programs their node IDs. The columns from layout on belong
-- to a fleet whose store is these tables, and are what it agrees on and how much it should remember: node_count rows of
-- tsid_nodes, and a row that the transaction written_in wrote itself; one that was restored was written by another.
CREATE TABLE tsid_allocator (
  only_one boolean NOT NULL DEFAULT true,
  store text,
  allocator_id text,
  layout text,
  epoch_ms bigint,
  quarantine_ms bigint NOT NULL DEFAULT 0,
  server text,
  life text,
  version bigint NOT NULL DEFAULT 0,
  touched_ms bigint NOT NULL DEFAULT 0,
  safe_after_ms bigint NOT NULL DEFAULT 0,
  reason text,
  node_count integer NOT NULL DEFAULT 0,
  region text,
  written_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT tsid_allocator_pkey PRIMARY KEY (only_one),
  CONSTRAINT tsid_allocator_only_one_check CHECK (only_one),
  CONSTRAINT tsid_allocator_store_check CHECK (store IN ('Redis', 'PostgreSQL'))
);

-- The last window of each node that was ever granted: floor_ms <= t < ceiling_ms. Token '-': released.
CREATE TABLE tsid_nodes (
  node integer NOT NULL,
  ceiling_ms bigint NOT NULL,
  floor_ms bigint NOT NULL,
  token text NOT NULL,
  claim text NOT NULL,
  life text NOT NULL,
  holder text NOT NULL,
  CONSTRAINT tsid_nodes_pkey PRIMARY KEY (node),
  CONSTRAINT tsid_nodes_node_check CHECK (node >= 0)
);

-- The nodes of each region, of which each leases from a database of its own: every database has all rows, and which of them
-- is its own stands in tsid_allocator.
CREATE TABLE tsid_node_ranges (
  region text NOT NULL,
  nodes int4range NOT NULL,
  CONSTRAINT tsid_node_ranges_pkey PRIMARY KEY (region),
  CONSTRAINT tsid_node_ranges_nodes_check CHECK (NOT isempty(nodes)),
  CONSTRAINT tsid_node_ranges_apart EXCLUDE USING gist (nodes WITH &&)
);
`;
