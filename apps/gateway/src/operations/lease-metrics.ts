import type { TsidGenerator } from '@solegate/tsid-core';
import type { AnyNodeLease, NodeLeaseEvent, NodeLeaseHealth } from '@solegate/tsid-core/node-lease';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What happens to the node lease, counted and logged from the first claim on. */
export function leaseObserver(registry: Registry, logger: Logger): (event: NodeLeaseEvent) => void {
  const events = new Counter({
    name: 'solegate_tsid_lease_events_total',
    help: 'What happened to the node lease',
    labelNames: ['kind'],
    registers: [registry],
  });
  return (event) => {
    const { kind, ...facts } = event;
    events.inc({ kind });
    if (kind === 'lost') logger.error(facts, 'the node was lost; another one is claimed');
    else if (kind === 'warning') logger.warn({ kind }, event.message);
    else if (kind === 'clockDifference')
      logger.error(
        facts,
        'the clocks of this machine and of Redis differ: IDs go on only while the window lasts',
      );
    else if (kind === 'quarantined')
      logger.warn(facts, 'Redis may have forgotten leases: no node is granted yet');
    else if (kind === 'renewalFailed')
      logger.warn(facts, 'the node was not renewed; IDs go on while its window lasts');
    else if (kind === 'claimFailed') logger.error(facts, 'no node could be leased; it is tried again');
    else if (kind === 'renewed') logger.debug(facts, 'the node was renewed');
    else logger.info(facts, `node ${event.node} was ${kind}`);
  };
}

interface MeasuredNode {
  readonly lease: AnyNodeLease;
  readonly generator: TsidGenerator;
  readonly mintedCount: number;
}

/** IDs: how long they go on without Redis, how far ahead of the clock they are, and how many nodes are left. */
export function registerLeaseMetrics(registry: Registry, nodes: () => readonly MeasuredNode[]): void {
  const registers = [registry];
  /** @param aggregator what one number for several workers, and for several nodes of one, means */
  const gauge = (
    name: string,
    help: string,
    aggregator: 'min' | 'max' | 'omit',
    read: (health: NodeLeaseHealth) => number | undefined,
  ) => {
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        const values = nodes().flatMap(({ lease }) => read(lease.health()) ?? []);
        const isMissing = values.length === 0 || (aggregator === 'omit' && values.length > 1);
        if (isMissing) this.reset();
        else this.set(aggregator === 'min' ? Math.min(...values) : Math.max(...values));
      },
    });
  };
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
  gauge(
    'solegate_tsid_lease_seconds_left',
    'Time that IDs go on when Redis is away; of all workers the shortest',
    'min',
    ({ windowLeftMs }) => inSeconds(windowLeftMs),
  );
  gauge(
    'solegate_tsid_run_ahead_seconds',
    'How far the last ID is ahead of the clock; of all workers the farthest',
    'max',
    ({ runAheadMs }) => inSeconds(runAheadMs),
  );
  gauge(
    'solegate_tsid_clock_difference_seconds',
    'This clock minus that of Redis, at the last answer; workers share a clock',
    'max',
    ({ clockDifferenceMs }) => inSeconds(clockDifferenceMs),
  );
  gauge('solegate_tsid_free_nodes', 'Nodes that nobody holds', 'min', ({ freeNodeCount }) => freeNodeCount);
  gauge(
    'solegate_tsid_node',
    'The node of this process; with several workers, absent',
    'omit',
    ({ node }) => node,
  );
  gauge('solegate_tsid_lease_healthy', '1 while every worker can make IDs', 'min', ({ healthy }) =>
    Number(healthy),
  );
  registerIdCounters(registry, nodes);
}

function registerIdCounters(registry: Registry, nodes: () => readonly MeasuredNode[]): void {
  const sum = (read: (node: MeasuredNode) => number) =>
    nodes().reduce((total, node) => total + read(node), 0);
  counter(registry, 'solegate_tsid_minted_total', 'IDs that were minted', () =>
    sum(({ mintedCount }) => mintedCount),
  );
  counter(
    registry,
    'solegate_tsid_overflows_total',
    'Milliseconds that had fewer IDs than were asked of them',
    () => sum(({ generator }) => generator.overflowCount),
  );
}

/** A counter that somebody else counts. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
