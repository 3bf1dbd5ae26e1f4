import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { PersonName } from '../../parts/person-name.js';
import { useAnswer } from '../../session/use-answer.js';
import type { NumberStatus } from './number-words.js';

interface NumberLifeProps {
  readonly number: string;
  readonly projectCode: string | undefined;
  /** Read again when it changes. */
  readonly status: NumberStatus;
}

/** What happened to a number: by whom, when and why. Each step was written once and is never changed. */
export function NumberLife({ number, projectCode, status }: NumberLifeProps) {
  const events = useAnswer(
    (client) =>
      client.documentNumberEvents({
        first: 100,
        filter: { number, ...(projectCode !== undefined && { projectCode }) },
      }),
    [number, projectCode, status],
  );
  return (
    <section class="panel stack tight">
      <h2>Its life</h2>
      <Failure error={events.error} onRetry={events.reload} />
      {events.value?.edges.length === 0 && (
        <p class="quiet">It was issued as the facts above say, and nothing happened to it since.</p>
      )}
      <ol class="timeline">
        {events.value?.edges.map(({ node: event }) => (
          <li key={event.id}>
            {event.type.replaceAll('_', ' ')} by <PersonName actor={event.actor} actorId={event.actorId} />
            {event.reason && <>: {event.reason}</>}
            <div class="quiet small">
              <Moment iso={event.occurredAt} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
