import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { tripMetrics } from '../src/operations/trip-metrics.js';

test('every trip event is counted', async () => {
  const registry = new Registry();
  const observer = tripMetrics(registry, pino({ enabled: false }));
  observer.acceptRoundEnded?.({
    tripId: 1n,
    epoch: 1,
    callerCount: 20,
    outcomeCounts: { ACCEPTED: 1, TAKEN: 19 },
    gate: 'HELD',
    elapsedMs: 2,
  });
  observer.decisionEnded?.({ tripCount: 3, elapsedMs: 1, origins: [] });
  observer.gateFailed?.(new Error('away'));
  observer.sweepEnded?.({
    redispatchedCount: 4,
    expiredCount: 5,
    orphanCount: 6,
    openedCount: 11,
    widenedCount: 10,
  });
  observer.driversNotRanked?.({ tripId: 1n, error: new Error('away') });
  observer.historyPruned?.({ historyCount: 7, tripCount: 6, attemptRowCount: 8 });
  observer.eventsPublished?.({ eventCount: 9 });
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'solegate_trips_accept_seconds_count{gate="HELD"} 1',
    'solegate_trips_coalesced_callers_sum 20',
    'solegate_trips_outcomes_total{outcome="TAKEN"} 19',
    'solegate_trips_decision_seconds_count 1',
    'solegate_trips_decided_total 3',
    'solegate_trips_gate_failures_total 1',
    'solegate_trips_swept_total{kind="redispatched"} 4',
    'solegate_trips_swept_total{kind="expired"} 5',
    'solegate_trips_swept_total{kind="orphan"} 6',
    'solegate_trips_swept_total{kind="opened"} 11',
    'solegate_trips_swept_total{kind="widened"} 10',
    'solegate_trips_not_ranked_total 1',
    'solegate_trips_pruned_total{kind="trip_history"} 7',
    'solegate_trips_pruned_total{kind="attempt_row"} 8',
    'solegate_trips_events_published_total 9',
  ]) {
    expect(lines).toContain(line);
  }
});
