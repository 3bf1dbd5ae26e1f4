import type { NumberingObserver } from '@solegate/doc-numbering';
import type { TripObserver } from '@solegate/trip-reservation';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { counterOf } from '../operations/instruments.js';

/** What the metrics read from a cell. */
export interface MeasuredCell {
  readonly name: string;
  readonly isUp: boolean;
  /** Absent until the cell has started. */
  readonly pool: Pool | undefined;
}

/** Counts per cell, where there are several. All other metrics are sums over the cells. */
export interface CellObservers {
  numbering(cell: string, all: NumberingObserver): NumberingObserver;
  trips(cell: string, all: TripObserver): TripObserver;
}

export function cellMetrics(registry: Registry, cells: () => readonly MeasuredCell[]): CellObservers {
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
      for (const { name: cell, pool } of cells()) {
        if (pool === undefined) continue;
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
    numbering: (cell, all) => ({
      ...all,
      batchCommitted: (facts) => {
        numbers.inc({ cell }, facts.numberCount);
        all.batchCommitted?.(facts);
      },
    }),
    trips: (cell, all) => ({
      ...all,
      decisionEnded: (facts) => {
        decided.inc({ cell }, facts.tripCount);
        all.decisionEnded?.(facts);
      },
    }),
  };
}
