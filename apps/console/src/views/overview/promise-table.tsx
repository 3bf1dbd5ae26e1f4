import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Notice, Progress } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type Status = Result<'promises'>[number];

const READ_EVERY_MS = 2_000;
const PROMISE_WORDS: Readonly<Record<Status['promise'], string>> = {
  NUMBERS: 'Document numbers',
  TRIPS: 'Trips',
  IDS: 'New IDs',
  TRIP_UPDATES: 'Updates of a trip',
  ANNOUNCEMENTS: 'Announcements',
  POSITIONS: 'Driver positions',
  RATE_LIMITS: 'Rate limits',
};

/** What the gateway says of each promise: whether it works, until when, what callers see, what to do. */
export function PromiseTable() {
  const promises = useAnswer((client) => client.promises({}), [], { everyMs: READ_EVERY_MS });
  const limits =
    promises.error === undefined ? (promises.value ?? []).flatMap((status) => status.limits) : [];
  const actions = [...new Set(limits.map(({ action }) => action))];
  return (
    <section class="panel stack tight">
      <h2>What works now</h2>
      <Progress of={promises} />
      {promises.value && promises.error === undefined && (
        <DataTable
          caption="What works now"
          columns={[
            { title: 'Promise', cell: ({ promise }: Status) => PROMISE_WORDS[promise] },
            { title: 'Now', cell: (status) => <Now {...status} /> },
          ]}
          rows={promises.value}
          keyOf={({ promise }) => promise}
          empty=""
        />
      )}
      {actions.map((action) => (
        <Notice key={action} kind="limit">
          {action}
        </Notice>
      ))}
    </section>
  );
}

/** Whether it works, until when, and what callers see. */
function Now({ works, until, limits }: Status) {
  return (
    <>
      {works ? 'works' : <span class="tag limit">does not work</span>}
      {works && until && (
        <span>
          {' '}
          until <Moment iso={until} />
        </span>
      )}
      {limits.length > 0 && <div class="quiet small">{limits.map(({ effect }) => effect).join(' ')}</div>}
    </>
  );
}
