import type { Registry } from 'prom-client';
import type { FactReaders } from '../graphql/fact-readers.js';
import { gaugeOf } from './instruments.js';

/** Registers how many subscribers read the ledger or the outbox, and how far they are behind. */
export function registerFeedMetrics(
  registry: Registry,
  { numbers, trips }: { readonly numbers: FactReaders; readonly trips: FactReaders },
): void {
  const gauge = gaugeOf(registry);
  const behind = 'facts that the slowest reader has not been sent';
  gauge('solegate_feed_number_readers', 'Readers of number facts', () => numbers.readerCount);
  gauge('solegate_feed_number_behind', `Number ${behind}`, () => numbers.behindMax, 'max');
  gauge('solegate_feed_trip_readers', 'Readers of trip events', () => trips.readerCount);
  gauge('solegate_feed_trip_behind', `Trip ${behind}`, () => trips.behindMax, 'max');
}
