import type { ComponentChildren } from 'preact';
import { Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import { PersonName } from '../../parts/person-name.js';
import { useAnswer } from '../../session/use-answer.js';
import type { NumberFacts } from './number-words.js';

/** The history of a number: who did what, when and why. Entries are append-only. */
export function NumberLife({ facts }: { readonly facts: NumberFacts }) {
  const { number, status } = facts;
  const projectCode = facts.project?.code;
  const events = useAnswer(
    (client) =>
      client.documentNumberEvents({
        first: 100,
        filter: { number, ...(projectCode !== undefined && { projectCode }) },
      }),
    [number, projectCode, status],
  );
  const steps = (events.value?.edges ?? [])
    .map(({ node }) => node)
    .toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt));
  return (
    <section class="panel stack tight">
      <h2>History</h2>
      <Progress of={events} />
      <ol class="timeline">
        <Step at={facts.issuedAt}>
          Taken by <PersonName actor={facts.actor} actorId={facts.actorId} />
          {facts.waitedMs !== null && ` after waiting ${facts.waitedMs} ms`}
        </Step>
        {steps.map((event) => (
          <Step key={event.id} at={event.occurredAt}>
            {sentenceOf(event.type)} by <PersonName actor={event.actor} actorId={event.actorId} />
            {event.reason && <>: {event.reason}</>}
          </Step>
        ))}
      </ol>
    </section>
  );
}

/** NUMBER_VOIDED → Number voided */
function sentenceOf(type: string): string {
  return type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ');
}

function Step({ at, children }: { readonly at: string | null; readonly children: ComponentChildren }) {
  return (
    <li>
      {children}
      <div class="quiet small">
        <Moment iso={at} />
      </div>
    </li>
  );
}
