import type { NodeLease } from '@solegate/tsid-core/node-lease';
import { Counter, Gauge, type Registry } from 'prom-client';

/** IDs: how long they go on without Redis, how far ahead of the clock they are, and how many nodes are left. */
export function registerLeaseMetrics(registry: Registry, lease: NodeLease): void {
  const registers = [registry];
  /** @param aggregator what one number for several workers means */
  const gauge = (
    name: string,
    help: string,
    aggregator: 'min' | 'max' | 'omit',
    read: () => number | undefined,
  ) => {
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.reset();
        else this.set(value);
      },
    });
  };
  gauge(
    'solegate_tsid_lease_seconds_left',
    'Time that IDs go on when Redis is away; of all workers the shortest',
    'min',
    () => lease.health().windowLeftMs / 1_000,
  );
  gauge(
    'solegate_tsid_run_ahead_seconds',
    'How far the last ID is ahead of the clock; of all workers the farthest',
    'max',
    () => lease.health().runAheadMs / 1_000,
  );
  gauge('solegate_tsid_free_nodes', 'Nodes that nobody holds', 'min', () => lease.health().freeNodeCount);
  gauge(
    'solegate_tsid_node',
    'The node of this process; with several workers, absent',
    'omit',
    () => lease.health().node,
  );
  gauge('solegate_tsid_lease_healthy', '1 while every worker can make IDs', 'min', () =>
    Number(lease.health().healthy),
  );

  const events = new Counter({
    name: 'solegate_tsid_lease_events_total',
    help: 'What happened to the node lease',
    labelNames: ['kind'],
    registers,
  });
  lease.subscribe(({ kind }) => events.inc({ kind }));
}
