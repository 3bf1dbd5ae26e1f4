import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Choice } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { usePages } from '../../parts/pages.js';
import type { Result } from '../../session/gateway-client.js';
import { isDemo } from '../../session/identity.js';
import { TRIP_STATUS_WORDS, TripStatusTag } from './trip-status-tag.js';

type TripRow = Result<'trips'>['edges'][number]['node'];
type TripStatus = TripRow['status'];

const READ_EVERY_MS = 5_000;

/** The trips visible to the caller, newest first. */
export function TripList({ revision }: { readonly revision: number }) {
  const [status, setStatus] = useState<TripStatus | ''>('');
  const trips = usePages(
    (client, page) => client.trips({ ...page, filter: status === '' ? {} : { status } }),
    { first: 20, query: status, revision, everyMs: READ_EVERY_MS },
  );
  return (
    <section class="panel stack tight">
      <div class="row apart">
        <h2>Trips</h2>
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
      {trips.rows && (
        <DataTable
          caption="Trips, newest first"
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
          rows={trips.rows}
          keyOf={({ id }) => id}
          empty={isDemo ? 'No such trips. Start a race above to create one.' : 'You have no such trips.'}
        />
      )}
      {!trips.isWhole && trips.buttons}
    </section>
  );
}
