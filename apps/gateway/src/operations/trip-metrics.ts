import type { TripObserver } from '@solegate/trip-reservation';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { recordSharedCommit, spanOfCaller } from './background-trace.js';
import { COUNTS, counterOf, histogramOf, SECONDS } from './instruments.js';

/** Trip metrics: latency, outcomes, coalescing, group commits, and background work. */
export function tripMetrics(registry: Registry, logger: Logger): TripObserver {
  return { ...acceptMetrics(registry, logger), ...backgroundMetrics(registry, logger) };
}

function acceptMetrics(registry: Registry, logger: Logger): TripObserver {
  const durations = histogramOf(registry, SECONDS);
  const rounds = durations(
    'solegate_trips_accept_seconds',
    'Duration of a round of accepts of one offer, by result of the gate',
    'gate',
  );
  const callers = histogramOf(registry, COUNTS)(
    'solegate_trips_coalesced_callers',
    'Drivers served by one round',
  );
  const decisions = durations('solegate_trips_decision_seconds', 'Duration of the deciding statement');
  const counter = counterOf(registry);
  const outcomes = counter('solegate_trips_outcomes_total', 'Outcomes of accept calls', 'outcome');
  const decided = counter('solegate_trips_decided_total', 'Trips in deciding statements');
  const gateFailures = counter('solegate_trips_gate_failures_total', 'Calls made without Redis');

  return {
    acceptJoined: spanOfCaller,
    acceptRoundEnded: ({ gate, elapsedMs, callerCount, outcomeCounts }) => {
      rounds.observe({ gate }, elapsedMs / 1_000);
      callers.observe(callerCount);
      for (const [outcome, count] of Object.entries(outcomeCounts)) outcomes.inc({ outcome }, count);
    },
    decisionEnded: ({ tripCount, elapsedMs, origins }) => {
      logger.debug({ tripCount, durationMs: elapsedMs }, 'trips decided');
      recordSharedCommit('decide trips', {
        durationMs: elapsedMs,
        origins,
        attributes: { 'solegate.trips': tripCount },
      });
      decisions.observe(elapsedMs / 1_000);
      decided.inc(tripCount);
    },
    gateFailed: () => gateFailures.inc(),
  };
}

function backgroundMetrics(registry: Registry, logger: Logger): TripObserver {
  const counter = counterOf(registry);
  const notRanked = counter(
    'solegate_trips_not_ranked_total',
    'Searches that found driver positions unavailable',
  );
  const swept = counter('solegate_trips_swept_total', 'Trips moved by the sweeper', 'kind');
  const pruned = counter('solegate_trips_pruned_total', 'Old data removed by the sweeper', 'kind');
  const published = counter('solegate_trips_events_published_total', 'Events sent to subscribers');

  return {
    driversNotRanked: ({ tripId, error }) => {
      notRanked.inc();
      logger.warn(
        { err: error, tripId: String(tripId) },
        'driver positions are unavailable; the search is repeated',
      );
    },
    sweepEnded: ({ redispatchedCount, expiredCount, orphanCount, openedCount, widenedCount }) => {
      swept.inc({ kind: 'redispatched' }, redispatchedCount);
      swept.inc({ kind: 'expired' }, expiredCount);
      swept.inc({ kind: 'orphan' }, orphanCount);
      swept.inc({ kind: 'opened' }, openedCount);
      swept.inc({ kind: 'widened' }, widenedCount);
    },
    historyPruned: ({ historyCount, tripCount, attemptRowCount }) => {
      pruned.inc({ kind: 'trip_history' }, historyCount);
      pruned.inc({ kind: 'trip' }, tripCount);
      pruned.inc({ kind: 'attempt_row' }, attemptRowCount);
    },
    eventsPublished: ({ eventCount }) => published.inc(eventCount),
    backgroundFailed: (error, work) => logger.warn({ err: error, work }, 'background work failed; retrying'),
  };
}
