import type { Tsid } from '@solegate/client';
import { Fact } from '../../parts/fact.js';
import { Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { demoUser, isDemo, roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { useFeed } from '../../session/use-feed.js';
import { RacePanel } from './race-panel.js';
import { TripActions } from './trip-actions.js';
import { TripAudit } from './trip-audit.js';
import { TripStatusTag } from './trip-status-tag.js';
import { TripTimeline } from './trip-timeline.js';

/** One trip: its state, the available actions, and its history. */
export function TripPage({ id }: { readonly id: Tsid }) {
  const feed = useFeed((client) => client.tripUpdated({ tripId: id, afterRevision: 0 }), [id]);
  const trip = useAnswer((client) => client.trip({ id }), [id, feed.events.length]);
  const value = trip.value;
  return (
    <>
      <PageHead
        title={`Trip ${id}`}
        copied={{ text: id, what: "the trip's ID" }}
        lede="Its live state and its history."
      >
        <a href="/trips">All trips</a>
      </PageHead>
      <div class="stack">
        <Progress of={trip} />
        {value === null && <p>This trip does not exist or is not one of yours.</p>}
        {value && (
          <section class="panel stack">
            <dl class="facts">
              <Fact name="Status">
                <TripStatusTag status={value.status} />
              </Fact>
              <Fact name="Driver">{value.driverId ?? 'none'}</Fact>
              <Fact name="Rider">{value.riderId ?? 'not shown'}</Fact>
              <Fact name="Dispatch epoch">{value.offerEpoch}</Fact>
            </dl>
            <p class="quiet small">
              Requested <Moment iso={value.requestedAt} />, offer expires{' '}
              <Moment iso={value.offerExpiresAt} />
            </p>
            <TripActions trip={value} onDone={trip.reload} />
          </section>
        )}
        {value && isDemo && demoUser.value === '' && (
          <RacePanel
            label="Race for this trip"
            isOpen={value.status === 'FINDING'}
            offer={async () => ({ tripId: value.id, offerEpoch: value.offerEpoch })}
            onEnd={trip.reload}
          />
        )}
        {value !== null && <TripTimeline feed={feed} />}
        {value !== null && roles.value.has('admin') && <TripAudit id={id} eventCount={feed.events.length} />}
      </div>
    </>
  );
}
