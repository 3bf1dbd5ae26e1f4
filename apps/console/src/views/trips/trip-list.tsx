import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Choice } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';
import { TRIP_STATUS_WORDS, TripStatusTag } from './trip-status-tag.js';

type TripRow = Result<'trips'>['edges'][number]['node'];
type TripStatus = TripRow['status'];

const READ_EVERY_MS = 5_000;

/** The newest trips visible to the caller. */
export function TripList({ revision }: { readonly revision: number }) {
  const [status, setStatus] = useState<TripStatus | ''>('');
  const trips = useAnswer(
    (client) => client.trips({ first: 20, filter: status === '' ? {} : { status } }),
    [status, revision],
    { everyMs: READ_EVERY_MS },
  );
  return (
    <section class="panel stack tight">
      <div class="row apart">
        <h2>Newest trips</h2>
        <Choice
          label="Status"
          value={status}
          onValue={(value) => setStatus(value as TripStatus | '')}
          options={[
            { value: '', text: 'all' },
            ...Object.entries(TRIP_STATUS_WORDS).map(([value, text]) => ({ value, text })),
          ]}
        />
      </div>
      <Failure error={trips.error} onRetry={trips.reload} />
      {trips.value && (
        <DataTable
          caption="Newest trips"
          columns={[
            {
              title: 'Trip',
              cell: (trip: TripRow) => (
                <a class="mono" href={`/trips/${trip.id}`}>
                  {trip.id}
                </a>
              ),
            },
            { title: 'Status', cell: ({ status: is }) => <TripStatusTag status={is} /> },
            { title: 'Driver', cell: ({ driverId }) => driverId ?? <span class="quiet">none</span> },
            { title: 'Epoch', cell: ({ offerEpoch }) => offerEpoch, isNumber: true },
            { title: 'Requested', cell: ({ requestedAt }) => <Moment iso={requestedAt} /> },
          ]}
          rows={trips.value.edges.map(({ node }) => node)}
          keyOf={({ id }) => id}
          empty="No trips with this status. Start a race above to create one."
        />
      )}
    </section>
  );
}
