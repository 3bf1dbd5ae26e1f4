import { milliseconds } from '../../parts/figures.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import type { EventOf } from '../../session/gateway-client.js';
import type { Feed } from '../../session/use-feed.js';

export type TripEvent = EventOf<'tripUpdated'>;

const EVENT_WORDS: Readonly<Record<TripEvent['type'], string>> = {
  TRIP_REQUESTED: 'A rider asked for it',
  TRIP_OFFERED: 'The offer reached more drivers, or lasts longer',
  TRIP_STILL_OPEN: 'Nobody has it after all',
  TRIP_ACCEPTED: 'A driver has it',
  DRIVER_ARRIVED: 'The driver is at the pickup',
  TRIP_STARTED: 'The rider is on board',
  TRIP_COMPLETED: 'It ended where it should',
  TRIP_CANCELLED: 'The rider ended it, or never came',
  TRIP_EXPIRED: 'No driver came in time',
  TRIP_REDISPATCHED: 'Its driver left; offered anew',
};

/** What happened to a trip, by dispatch epoch: an offer of an older epoch is worth nothing. */
export function TripTimeline({ feed }: { readonly feed: Feed<TripEvent> }) {
  const { events, error } = feed;
  const epochs = [...new Set(events.map(({ offerEpoch }) => offerEpoch))];
  return (
    <section class="panel stack tight">
      <h2>What happened, live</h2>
      <Failure error={error} />
      {events.length === 0 && error === undefined && <p class="quiet">Reading …</p>}
      {epochs.map((epoch) => (
        <section key={epoch} aria-label={`Dispatch epoch ${epoch}`}>
          <h3>Epoch {epoch}</h3>
          <ol class="timeline">
            {events
              .filter(({ offerEpoch }) => offerEpoch === epoch)
              .map((event) => (
                <li key={event.revision} class={event.type === 'TRIP_ACCEPTED' ? 'chosen' : ''}>
                  {EVENT_WORDS[event.type]}
                  {event.driverId && ` · driver ${event.driverId}`}
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
