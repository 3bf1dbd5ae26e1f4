import type { NodeLease } from '@solegate/tsid-core/node-lease';
import { Counter, Gauge, type Registry } from 'prom-client';

/** IDs: how long they go on without Redis, how far ahead of the clock they are, and how many nodes are left. */
export function registerLeaseMetrics(registry: Registry, lease: NodeLease): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | undefined) => {
    new Gauge({
      name,
      help,
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
    'Time that IDs go on when Redis is away',
    () => lease.health().windowLeftMs / 1_000,
  );
  gauge(
    'solegate_tsid_run_ahead_seconds',
    'How far the last ID is ahead of the clock',
    () => lease.health().runAheadMs / 1_000,
  );
  gauge('solegate_tsid_free_nodes', 'Nodes that nobody holds', () => lease.health().freeNodeCount);
  gauge('solegate_tsid_node', 'The node of this process', () => lease.health().node);
  gauge('solegate_tsid_lease_healthy', '1 while IDs can be made', () => Number(lease.health().healthy));

  const events = new Counter({
    name: 'solegate_tsid_lease_events_total',
    help: 'What happened to the node lease',
    labelNames: ['kind'],
    registers,
  });
  lease.subscribe(({ kind }) => events.inc({ kind }));
}
