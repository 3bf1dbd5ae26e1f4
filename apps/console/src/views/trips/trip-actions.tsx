import { useState } from 'preact/hooks';
import { ConfirmAction } from '../../parts/confirm-action.js';
import { Failure, Notice } from '../../parts/notice.js';
import { refusalIn } from '../../session/failure.js';
import { client, clientAs, type GatewayClient, type Result } from '../../session/gateway-client.js';
import { demoUser, isDemo, roles } from '../../session/identity.js';
import { useAction } from '../../session/use-action.js';
import { pressAccept } from './accept-words.js';
import { ENDED } from './trip-status-tag.js';

type TripFacts = NonNullable<Result<'trip'>>;

interface TripActionsProps {
  readonly trip: TripFacts;
  readonly onDone: () => void;
}

interface Action {
  readonly label: string;
  /** Confirmation text of an irreversible action. */
  readonly question?: string;
  readonly run: () => Promise<unknown>;
}

/** The actions available on a trip: as its driver, its rider, a driver who wants it, or a dispatcher. */
export function TripActions({ trip, onDone }: TripActionsProps) {
  const { error, isRunning, run } = useAction();
  const [answer, setAnswer] = useState<string>();
  const offer = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  const accept: Action = {
    label: 'Accept trip',
    run: async () => setAnswer(`Result: ${(await pressAccept(client.value, offer)).words}.`),
  };
  const actions = [
    ...(mayAccept(trip) ? [accept] : []),
    ...driverActions(trip),
    ...riderActions(trip),
    ...dispatcherActions(trip),
    // Irreversible ones are last.
  ].toSorted((one, other) => Number(one.question !== undefined) - Number(other.question !== undefined));
  const start = async (action: Action): Promise<void> => {
    setAnswer(undefined);
    await run(async () => {
      const refusal = refusalIn(await action.run());
      if (refusal !== undefined) setAnswer(refusal);
    });
    onDone();
  };
  return (
    <div class="stack tight">
      {actions.length > 0 && (
        <div class="row">
          {actions.map((action) =>
            action.question === undefined ? (
              <button
                key={action.label}
                type="button"
                disabled={isRunning}
                onClick={() => void start(action)}
              >
                {action.label}
              </button>
            ) : (
              <ConfirmAction
                key={action.label}
                label={action.label}
                question={action.question}
                asksReason={false}
                isDisabled={isRunning}
                run={() => start(action)}
              />
            ),
          )}
        </div>
      )}
      <div role="status">{answer && <Notice>{answer}</Notice>}</div>
      <Failure error={error} />
    </div>
  );
}

/** Only a specific driver can accept: the chosen user, or the holder of the token. */
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
      { label: 'Arrived at pickup', run: () => driver.reportArrival({ input }) },
      { label: 'Rider is on board', run: () => driver.startTrip({ input }) },
      {
        label: 'Rider did not show up',
        question: 'This ends the trip. Available a few minutes after arrival at the pickup.',
        run: () => driver.reportNoShow({ input }),
      },
      {
        label: 'Release the trip',
        question: 'The trip is offered again, to everyone except this driver.',
        run: () => driver.cancelTrip({ input: { tripId, as: 'DRIVER' } }),
      },
    ];
  }
  return status === 'IN_PROGRESS' ? [{ label: 'Complete', run: () => driver.completeTrip({ input }) }] : [];
}

function riderActions({ id: tripId, riderId, status }: TripFacts): readonly Action[] {
  if (riderId === null || !roles.value.has('rider')) return [];
  if (status !== 'FINDING' && status !== 'ACCEPTED') return [];
  const rider = asPerson('rider', riderId);
  return [
    {
      label: 'Cancel for the rider',
      question: 'This also ends the trip for the driver.',
      run: () => rider.cancelTrip({ input: { tripId, as: 'RIDER' } }),
    },
  ];
}

function dispatcherActions({ id: tripId, offerEpoch, status }: TripFacts): readonly Action[] {
  if (!roles.value.has('admin')) return [];
  const again: Action = {
    label: 'Offer to every driver',
    run: () => client.value.broadcastTrip({ input: { tripId, offerEpoch } }),
  };
  const cancel: Action = {
    label: 'Cancel for both',
    question: 'This ends the trip for rider and driver. Its history says that a dispatcher did.',
    run: () => client.value.cancelTrip({ input: { tripId, as: 'DISPATCHER' } }),
  };
  return [...(status === 'FINDING' ? [again] : []), ...(ENDED.has(status) ? [] : [cancel])];
}

/** In demo mode anyone can act for anyone; with a token, callers act only for themselves. */
function asPerson(role: 'driver' | 'rider', id: string): GatewayClient {
  return isDemo && demoUser.value === '' ? clientAs(`${role}-${id}`) : client.value;
}
