import type { NumberingObserver } from '@solegate/doc-numbering';
import type { TripObserver } from '@solegate/trip-reservation';
import { Gauge, type Registry } from 'prom-client';
import { counterOf } from '../operations/instruments.js';
import type { Cell } from './cell.js';

/** Counts per cell, where there are several. All other metrics are sums over the cells. */
export function cellMetrics(registry: Registry, cells: () => readonly Cell[]) {
  const registers = [registry];
  new Gauge({
    name: 'solegate_cell_up',
    help: '1 while the PostgreSQL database of this cell responds; the minimum over all workers',
    labelNames: ['cell'],
    aggregator: 'min',
    registers,
    collect() {
      for (const { name, isUp } of cells()) this.set({ cell: name }, Number(isUp));
    },
  });
  new Gauge({
    name: 'solegate_cell_database_connections',
    help: 'Used and idle connections to the PostgreSQL database of this cell, and callers waiting for one',
    labelNames: ['cell', 'state'],
    registers,
    collect() {
      for (const { name: cell, running } of cells().filter(({ hasStarted }) => hasStarted)) {
        const { pool } = running.database;
        this.set({ cell, state: 'used' }, pool.totalCount - pool.idleCount);
        this.set({ cell, state: 'idle' }, pool.idleCount);
        this.set({ cell, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
  const counter = counterOf(registry);
  const numbers = counter('solegate_cell_numbers_issued_total', 'Numbers committed in this cell', 'cell');
  const decided = counter(
    'solegate_cell_trips_decided_total',
    'Trips in deciding statements of this cell',
    'cell',
  );
  return {
    numbering: (cell: string, all: NumberingObserver): NumberingObserver => ({
      ...all,
      batchCommitted: (facts) => {
        numbers.inc({ cell }, facts.numberCount);
        all.batchCommitted?.(facts);
      },
    }),
    trips: (cell: string, all: TripObserver): TripObserver => ({
      ...all,
      decisionEnded: (facts) => {
        decided.inc({ cell }, facts.tripCount);
        all.decisionEnded?.(facts);
      },
    }),
  };
}
