import { TripOutboxEntity, type TripOutboxRecord } from '@solegate/trip-reservation/typeorm';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { gaugeOf } from '../operations/instruments.js';

const INTERVAL_MS = 5_000;
/** Limits the count, so that its cost does not grow with the backlog. */
const COUNT_MAX = 10_000;

/** Trip events, of all processes, that are stored but not yet published. */
export interface OutboxState {
  /** At most 10,000: there might be more then. */
  readonly waitingCount: number;
  /** Age of the oldest one; 0 if there is none. */
  readonly oldestMs: number;
}

/**
 * How far publishing lags behind. Measured every five seconds and cached: a scrape of the metrics must not wait for an
 * unresponsive database.
 */
export class OutboxLag {
  #state: OutboxState | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSources: () => readonly DataSource[],
    registry: Registry,
    private readonly logger: Logger,
  ) {
    const gauge = gaugeOf(registry);
    gauge(
      'solegate_trips_outbox_waiting',
      'Trip events stored but not yet published, at most 10,000; absent while PostgreSQL does not respond',
      () => this.#state?.waitingCount,
      // All workers read the same table.
      'max',
    );
    gauge(
      'solegate_trips_outbox_oldest_seconds',
      'Age of the oldest unpublished trip event; 0 if there is none',
      () => this.#state && this.#state.oldestMs / 1_000,
      'max',
    );
  }

  /** At most five seconds old; undefined while PostgreSQL does not respond. */
  get state(): OutboxState | undefined {
    return this.#state;
  }

  async start(): Promise<void> {
    await this.look();
    this.#timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Measures once. Never rejects. */
  async look(): Promise<void> {
    try {
      const asked = await Promise.allSettled(this.dataSources().map(stateOf));
      const states = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const [first] = asked;
      if (states.length === 0 && first?.status === 'rejected') throw first.reason;
      this.#state = {
        waitingCount: states.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
        oldestMs: Math.max(...states.map(({ oldestMs }) => oldestMs)),
      };
    } catch (error) {
      this.#state = undefined;
      this.logger.debug({ err: error }, 'the outbox lag could not be measured');
    }
  }
}

async function stateOf(dataSource: DataSource): Promise<OutboxState> {
  const row = await dataSource
    .createQueryBuilder()
    .select('count(*)', 'count')
    .addSelect('coalesce(extract(epoch from clock_timestamp() - min(waiting.at)), 0)', 'seconds')
    .from(
      (oldest) =>
        oldest
          .select('event.occurredAt', 'at')
          .from<TripOutboxRecord>(TripOutboxEntity, 'event')
          .where('event.publishedAt IS NULL')
          .orderBy('event.occurredAt')
          .limit(COUNT_MAX),
      'waiting',
    )
    .getRawOne<{ readonly count: string; readonly seconds: string }>();
  return { waitingCount: Number(row?.count), oldestMs: Math.max(0, Number(row?.seconds) * 1_000) };
}
