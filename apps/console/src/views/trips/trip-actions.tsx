import { useState } from 'preact/hooks';
import { Failure, Notice } from '../../parts/notice.js';
import { client, clientAs, type GatewayClient, type Result } from '../../session/gateway-client.js';
import { demoUser, isDemo, roles } from '../../session/identity.js';
import { pressAccept } from './accept-words.js';

type TripFacts = NonNullable<Result<'trip'>>;

interface TripActionsProps {
  readonly trip: TripFacts;
  readonly onDone: () => void;
}

interface Action {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/** What may be done next with a trip: as its driver, as its rider, or as a driver who wants it. */
export function TripActions({ trip, onDone }: TripActionsProps) {
  const [error, setError] = useState<unknown>();
  const [answer, setAnswer] = useState<string>();
  const offer = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  const accept: Action = {
    label: 'Accept it',
    run: async () => setAnswer(`You asked for it: ${(await pressAccept(client.value, offer)).words}.`),
  };
  const actions = [...(mayAccept(trip) ? [accept] : []), ...driverActions(trip), ...riderActions(trip)];
  const run = async (action: Action): Promise<void> => {
    setError(undefined);
    try {
      await action.run();
    } catch (failure) {
      setError(failure);
    }
    onDone();
  };
  return (
    <div class="stack tight">
      {actions.length > 0 && (
        <div class="row">
          {actions.map((action) => (
            <button key={action.label} type="button" onClick={() => void run(action)}>
              {action.label}
            </button>
          ))}
        </div>
      )}
      <div role="status">{answer && <Notice>{answer}</Notice>}</div>
      <Failure error={error} />
    </div>
  );
}

/** One who is chosen on the page, or whose token it is; everybody at once is no driver who could lose. */
function mayAccept({ status }: TripFacts): boolean {
  return status === 'FINDING' && roles.value.has('driver') && (!isDemo || demoUser.value !== '');
}

function driverActions(trip: TripFacts): readonly Action[] {
  const { id: tripId, driverId, status } = trip;
  if (driverId === null || !roles.value.has('driver')) return [];
  const driver = asPerson('driver', driverId);
  const input = { tripId };
  if (status === 'ACCEPTED') {
    return [
      { label: 'Rider is on board', run: () => driver.startTrip({ input }) },
      { label: 'Leave it to others', run: () => driver.cancelTrip({ input: { tripId, as: 'DRIVER' } }) },
    ];
  }
  return status === 'IN_PROGRESS' ? [{ label: 'Complete', run: () => driver.completeTrip({ input }) }] : [];
}

function riderActions({ id: tripId, riderId, status }: TripFacts): readonly Action[] {
  if (riderId === null || !roles.value.has('rider')) return [];
  if (status !== 'FINDING' && status !== 'ACCEPTED') return [];
  const rider = asPerson('rider', riderId);
  return [{ label: 'Cancel for the rider', run: () => rider.cancelTrip({ input: { tripId, as: 'RIDER' } }) }];
}

/** In demo mode everybody may act for everybody; with a token one acts for oneself. */
function asPerson(role: 'driver' | 'rider', id: string): GatewayClient {
  return isDemo && demoUser.value === '' ? clientAs(`${role}-${id}`) : client.value;
}
