import { isTsid } from '@solegate/client';
import { useState } from 'preact/hooks';
import { Failure, Notice } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { client } from '../../session/gateway-client.js';
import { isDemo, roles } from '../../session/identity.js';
import { isKept, sendKept } from '../../session/kept-keys.js';
import { useAction } from '../../session/use-action.js';
import { useLateRoute } from '../../session/use-late-route.js';
import { RacePanel } from './race-panel.js';
import { TripList } from './trip-list.js';
import { TripPage } from './trip-page.js';

export function TripsView({ id }: { readonly id?: string }) {
  if (id === undefined || id === '') return <AllTrips />;
  return isTsid(id) ? (
    <TripPage key={id} id={id} />
  ) : (
    <PageHead title="Trip" lede="This address is not a trip ID." />
  );
}

function AllTrips() {
  const [revision, setRevision] = useState(0);
  const isRider = roles.value.has('rider');
  const lede = isDemo
    ? 'A rider requests a trip, and drivers accept it at the same moment. Exactly one gets it, and every driver gets the correct result.'
    : 'The trips that you can see. Of all drivers who accept, exactly one gets the trip.';
  return (
    <>
      <PageHead title="Trips" lede={lede}>
        {isRider && <RequestButton />}
      </PageHead>
      <div class="stack">
        {isDemo && isRider && (
          <RacePanel
            label="Request a trip and race for it"
            isOpen
            offer={async () => {
              const { id, offerEpoch } = await sendKept('race for a trip', (options) =>
                client.value.requestTrip({ input: {} }, options),
              );
              return { tripId: id, offerEpoch };
            }}
            onEnd={() => setRevision((before) => before + 1)}
          />
        )}
        <TripList revision={revision} />
      </div>
    </>
  );
}

const REQUEST = 'request a trip only';

function RequestButton() {
  const { error, isRunning, run } = useAction();
  const routeTo = useLateRoute();
  const request = async (): Promise<string> => {
    const input = { offerTtlMs: 600_000 };
    const { id } = await sendKept(REQUEST, (options) => client.value.requestTrip({ input }, options));
    return `/trips/${id}`;
  };
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run(() => routeTo(request))}>
        Request a trip only
      </button>
      <Failure error={error} />
      {isKept(REQUEST) && (
        <Notice kind="limit">
          The trip may have been requested. Pressing again repeats the same request and requests no second
          trip.
        </Notice>
      )}
    </>
  );
}
