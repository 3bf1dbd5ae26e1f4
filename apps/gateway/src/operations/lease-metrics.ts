import type { NodeLeaseEvent, NodeLeaseHealth } from '@solegate/tsid-core/node-lease';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { counterOf, gaugeOf } from './instruments.js';

/** Counts and logs node lease events, starting with the first claim. */
export function leaseObserver(registry: Registry, logger: Logger): (event: NodeLeaseEvent) => void {
  const events = counterOf(registry)('solegate_tsid_lease_events_total', 'Node lease events', 'kind');
  return (event) => {
    const { kind, ...facts } = event;
    events.inc({ kind });
    if (kind === 'LOST') logger.error(facts, 'the node lease was lost; claiming another node');
    else if (kind === 'WARNING') logger.warn({ kind }, event.message);
    else if (kind === 'CLOCK_DIFFERENCE')
      logger.error(
        facts,
        'the clocks of this machine and of the node store differ; IDs can be minted only until the window ends',
      );
    else if (kind === 'QUARANTINED' && event.reason === 'IDLE')
      logger.info(facts, 'no node was in use for a while; the first one is granted in 2 s');
    else if (kind === 'QUARANTINED')
      logger.warn(facts, 'the node store might have lost leases; no node is granted yet');
    else if (kind === 'RENEWAL_FAILED')
      logger.warn(facts, 'the node lease was not renewed; IDs can be minted until its window ends');
    else if (kind === 'CLAIM_FAILED') logger.error(facts, 'no node could be leased; retrying');
    else if (kind === 'RENEWED') logger.debug(facts, 'the node lease was renewed');
    else logger.info(facts, `node ${event.node} was ${kind.toLowerCase()}`);
  };
}

interface MeasuredNode {
  /** Empty while no node has been granted. */
  health(): Partial<NodeLeaseHealth>;
  readonly windowMs: number;
  readonly mintedCount: number;
  readonly overflowCount: number;
}

/** ID metrics: time left without Redis, distance ahead of the clock, free nodes, and counts. */
export function registerLeaseMetrics(registry: Registry, nodes: () => readonly MeasuredNode[]): void {
  const gauge = nodeGauge(registry, nodes);
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
  gauge(
    'solegate_tsid_lease_seconds_left',
    'Time that IDs can still be minted without Redis; the minimum over all workers',
    'min',
    ({ windowLeftMs }) => inSeconds(windowLeftMs),
  );
  gauge(
    'solegate_tsid_lease_window_seconds',
    'That time right after a renewal: NODE_LEASE_WINDOW_MS',
    'min',
    (_health, { windowMs }) => windowMs / 1_000,
  );
  gauge(
    'solegate_tsid_run_ahead_seconds',
    'How far the last ID is ahead of the clock; the maximum over all workers',
    'max',
    ({ runAheadMs }) => inSeconds(runAheadMs),
  );
  gauge(
    'solegate_tsid_clock_difference_seconds',
    'Local clock minus the clock of Redis, at its last response; workers share a clock',
    'max',
    ({ clockDifferenceMs }) => inSeconds(clockDifferenceMs),
  );
  gauge(
    'solegate_tsid_free_nodes',
    'Nodes without a holder, of those that this process can get; the minimum over all cells',
    'min',
    ({ freeNodeCount }) => freeNodeCount,
  );
  gauge(
    'solegate_tsid_free_nodes_ratio',
    'Part of those nodes that is free, 0 to 1; the minimum over all cells',
    'min',
    ({ freeNodeCount, nodeCount = 1 }) =>
      freeNodeCount === undefined ? undefined : freeNodeCount / nodeCount,
  );
  gauge(
    'solegate_tsid_node',
    'The node of this process; absent with several workers',
    'omit',
    ({ node }) => node,
  );
  gauge('solegate_tsid_lease_healthy', '1 while every worker can mint IDs', 'min', ({ healthy }) =>
    Number(healthy === true),
  );
  registerIdCounters(registry, nodes);
}

/** Returns what registers a gauge of all nodes. */
function nodeGauge(registry: Registry, nodes: () => readonly MeasuredNode[]) {
  const registered = gaugeOf(registry);
  /** @param aggregator how values of several workers, and of several nodes of one worker, are combined */
  return (
    name: string,
    help: string,
    aggregator: 'min' | 'max' | 'omit',
    read: (health: Partial<NodeLeaseHealth>, node: MeasuredNode) => number | undefined,
  ) => {
    const readAll = () => {
      const values = nodes().flatMap((node) => read(node.health(), node) ?? []);
      if (values.length === 0 || (aggregator === 'omit' && values.length > 1)) return undefined;
      return aggregator === 'min' ? Math.min(...values) : Math.max(...values);
    };
    registered(name, help, readAll, aggregator);
  };
}

function registerIdCounters(registry: Registry, nodes: () => readonly MeasuredNode[]): void {
  const sum = (read: (node: MeasuredNode) => number) =>
    nodes().reduce((total, node) => total + read(node), 0);
  counter(registry, 'solegate_tsid_minted_total', 'IDs minted', () => sum(({ mintedCount }) => mintedCount));
  counter(
    registry,
    'solegate_tsid_overflows_total',
    'Milliseconds in which more IDs were requested than the sequence holds',
    () => sum(({ overflowCount }) => overflowCount),
  );
}

/** Registers a counter whose value is read elsewhere. */
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
