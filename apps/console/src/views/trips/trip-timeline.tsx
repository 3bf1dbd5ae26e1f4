import { milliseconds } from '../../parts/figures.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import type { EventOf } from '../../session/gateway-client.js';
import type { Feed } from '../../session/use-feed.js';

export type TripEvent = EventOf<'tripUpdated'>;

const EVENT_WORDS: Readonly<Record<TripEvent['type'], string>> = {
  TRIP_REQUESTED: 'Requested by the rider',
  TRIP_OFFERED: 'Offered to more drivers, or for longer',
  TRIP_STILL_OPEN: 'Still open: no driver has it',
  TRIP_ACCEPTED: 'Accepted by a driver',
  DRIVER_ARRIVED: 'The driver arrived at the pickup',
  TRIP_STARTED: 'The rider is on board',
  TRIP_COMPLETED: 'The trip was completed',
  TRIP_CANCELLED: 'Cancelled',
  TRIP_EXPIRED: 'No driver accepted in time',
  TRIP_REDISPATCHED: 'The trip lost its driver; offered again',
};

const REASON_WORDS: Readonly<Record<NonNullable<TripEvent['reason']>, string>> = {
  CHANGED_PLANS: 'the rider changed plans',
  WAITED_TOO_LONG: 'the rider waited too long',
  DRIVER_ASKED: 'the driver asked for it',
  VEHICLE_PROBLEM: 'a problem with the vehicle',
  RIDER_UNREACHABLE: 'the rider could not be reached',
  TOO_FAR: 'too far away',
  OTHER: 'another reason',
  RIDER_NO_SHOW: 'the rider did not come',
  BY_DISPATCHER: 'by a dispatcher',
};

/** An offer that expired begins the next epoch as well, though no driver had the trip. */
function wordsOf({ type, driverId }: TripEvent): string {
  const hadNoDriver = type === 'TRIP_REDISPATCHED' && !driverId;
  return hadNoDriver ? 'No driver accepted in time; offered again' : EVENT_WORDS[type];
}

/** The history of a trip, by dispatch epoch; offers of older epochs are void. */
export function TripTimeline({ feed }: { readonly feed: Feed<TripEvent> }) {
  const { events, isOver, error } = feed;
  const epochs = [...new Set(events.map(({ offerEpoch }) => offerEpoch))];
  return (
    <section class="panel stack tight">
      <h2>Live history</h2>
      <Failure error={error} />
      {events.length === 0 && error === undefined && (
        <p class="quiet">{isOver ? 'The history of this trip has been deleted.' : 'Loading …'}</p>
      )}
      {epochs.map((epoch) => (
        <section key={epoch} aria-label={`Dispatch epoch ${epoch}`}>
          <h3>Epoch {epoch}</h3>
          <ol class="timeline">
            {events
              .filter(({ offerEpoch }) => offerEpoch === epoch)
              .map((event) => (
                <li key={event.revision} class={event.type === 'TRIP_ACCEPTED' ? 'chosen' : ''}>
                  {wordsOf(event)}
                  {event.driverId && ` · driver ${event.driverId}`}
                  {event.reason && ` · ${REASON_WORDS[event.reason]}`}
                  <div class="quiet small">
                    Revision {event.revision} · <Moment iso={event.occurredAt} />
                    <Since event={event} events={events} />
                  </div>
                </li>
              ))}
          </ol>
        </section>
      ))}
    </section>
  );
}

function Since({ event, events }: { readonly event: TripEvent; readonly events: readonly TripEvent[] }) {
  const before = events.find(({ revision }) => revision === event.revision - 1);
  if (before === undefined) return null;
  return <> · {milliseconds(Date.parse(event.occurredAt) - Date.parse(before.occurredAt))} later</>;
}
