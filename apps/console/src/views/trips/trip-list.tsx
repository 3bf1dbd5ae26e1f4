import { isTsid } from '@solegate/client';
import { useRef, useState } from 'preact/hooks';
import { AnswerTable } from '../../parts/data-table.js';
import { Choice, fieldsOf, TextField } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { usePages } from '../../parts/pages.js';
import { reasonOf } from '../../session/failure.js';
import type { Result } from '../../session/gateway-client.js';
import { isDemo, roles } from '../../session/identity.js';
import type { Answer } from '../../session/use-answer.js';
import { TRIP_STATUS_WORDS, TripStatusTag } from './trip-status-tag.js';

type TripRow = Result<'trips'>['edges'][number]['node'];
type TripStatus = TripRow['status'];

const READ_EVERY_MS = 5_000;
const ORDERS = [
  { value: 'NEWEST', text: 'newest first' },
  { value: 'LATE', text: 'late offers first' },
] as const;
const STATUSES = [
  { value: '', text: 'all' },
  ...Object.entries(TRIP_STATUS_WORDS).map(([value, text]) => ({ value, text })),
];

/** What to list, as chosen. */
interface Wanted {
  readonly order: (typeof ORDERS)[number]['value'];
  readonly status: TripStatus | '';
  readonly riderId: string;
  readonly driverId: string;
  readonly region: string;
}

const NO_CONDITION: Wanted = { order: 'NEWEST', status: '', riderId: '', driverId: '', region: '' };

/** While a text is no ID, it is no condition. */
function filterOf({ order, status, riderId, driverId, region }: Wanted) {
  return {
    ...(order === 'LATE' ? { lateFirst: true } : status !== '' && { status }),
    ...(isTsid(riderId) && { riderId }),
    ...(isTsid(driverId) && { driverId }),
    ...(region !== '' && { region }),
  };
}

/** The trips visible to the caller. */
export function TripList({ revision }: { readonly revision: number }) {
  const [wanted, setWanted] = useState<Wanted>(NO_CONDITION);
  const filter = filterOf(wanted);
  const trips = usePages((client, page) => client.trips({ ...page, filter }), {
    first: 20,
    query: filter,
    revision,
    everyMs: READ_EVERY_MS,
  });
  // With several databases, a list is of one of them; the refusal names the regions.
  const hasRegions = useRef(false);
  hasRegions.current ||= reasonOf(trips.error) === 'REGION_NEEDED';
  return (
    <section class="panel stack tight">
      <h2>Trips</h2>
      <TripFilters
        wanted={wanted}
        hasRegions={hasRegions.current}
        onChange={(part) => setWanted((before) => ({ ...before, ...part }))}
      />
      <TripTable of={trips} order={wanted.order} />
      {!trips.isWhole && trips.buttons}
    </section>
  );
}

interface TripTableProps extends Pick<Wanted, 'order'> {
  readonly of: Answer<readonly TripRow[]>;
}

function TripTable({ of, order }: TripTableProps) {
  const isLate = order === 'LATE';
  return (
    <AnswerTable
      of={of}
      caption={isLate ? 'Open trips by the end of their offers' : 'Trips, newest first'}
      columns={[
        {
          title: 'Trip',
          cell: (trip: TripRow) => (
            <a class="mono" href={`/trips/${trip.id}`}>
              {trip.id}
            </a>
          ),
        },
        { title: 'Status', cell: ({ status }) => <TripStatusTag status={status} /> },
        { title: 'Rider', cell: ({ riderId }) => riderId ?? <span class="quiet">not shown</span> },
        { title: 'Driver', cell: ({ driverId }) => driverId ?? <span class="quiet">none</span> },
        { title: 'Epoch', cell: ({ offerEpoch }) => offerEpoch, isNumber: true },
        { title: 'Requested', cell: ({ requestedAt }) => <Moment iso={requestedAt} /> },
        ...(isLate
          ? [{ title: 'Offer ends', cell: ({ offerExpiresAt }: TripRow) => <Moment iso={offerExpiresAt} /> }]
          : []),
      ]}
      keyOf={({ id }) => id}
      empty={
        isDemo && roles.value.has('rider')
          ? 'No such trips. Start a race above to create one.'
          : 'There are no such trips.'
      }
    />
  );
}

interface TripFiltersProps {
  readonly wanted: Wanted;
  readonly hasRegions: boolean;
  readonly onChange: (part: Partial<Wanted>) => void;
}

function TripFilters({ wanted, hasRegions, onChange }: TripFiltersProps) {
  const bound = fieldsOf(wanted, onChange);
  return (
    <div class="row end">
      {hasRegions && <TextField label="Region" {...bound('region')} />}
      <Choice label="Order" options={ORDERS} {...bound('order')} />
      {wanted.order === 'NEWEST' && <Choice label="Status" options={STATUSES} {...bound('status')} />}
      {roles.value.has('admin') && (
        <>
          <PersonField label="Rider (ID)" {...bound('riderId')} />
          <PersonField label="Driver (ID)" {...bound('driverId')} />
        </>
      )}
    </div>
  );
}

interface PersonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function PersonField({ value, ...props }: PersonFieldProps) {
  const fault = value === '' || isTsid(value) ? undefined : 'This is no ID.';
  return <TextField type="search" placeholder="anybody" value={value} fault={fault} {...props} />;
}
