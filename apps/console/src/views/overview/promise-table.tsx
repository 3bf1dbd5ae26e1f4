import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type Status = Result<'promises'>[number];

const READ_EVERY_MS = 2_000;
const PROMISE_WORDS: Readonly<Record<Status['promise'], string>> = {
  NUMBERS: 'Document numbers',
  TRIPS: 'Trips',
  IDS: 'New IDs',
  TRIP_UPDATES: 'Updates of a trip',
  ANNOUNCEMENTS: 'Announcements of offers and numbers',
  POSITIONS: 'Driver positions',
  RATE_LIMITS: 'Rate limits across gateways',
};

/** What the gateway says of each promise: whether it works, until when, what callers see, what to do. */
export function PromiseTable() {
  const promises = useAnswer((client) => client.promises({}), [], { everyMs: READ_EVERY_MS });
  return (
    <section class="panel stack tight">
      <h2>What works now</h2>
      <Failure error={promises.error} onRetry={promises.reload} />
      {promises.value && promises.error === undefined && (
        <DataTable
          caption="What works now"
          columns={[
            { title: 'Promise', cell: ({ promise }: Status) => PROMISE_WORDS[promise] },
            { title: 'Now', cell: ({ works }) => <Works works={works} /> },
            { title: 'Until', cell: ({ until }) => until && <Moment iso={until} /> },
            { title: 'What callers see', cell: ({ limits }) => lines(limits.map(({ effect }) => effect)) },
            { title: 'What to do', cell: ({ limits }) => lines(limits.map(({ action }) => action)) },
          ]}
          rows={promises.value}
          keyOf={({ promise }) => promise}
          empty=""
        />
      )}
    </section>
  );
}

function Works({ works }: Pick<Status, 'works'>) {
  return works ? <>works</> : <span class="tag limit">does not work</span>;
}

function lines(texts: readonly string[]) {
  return [...new Set(texts)].map((text) => <div key={text}>{text}</div>);
}
