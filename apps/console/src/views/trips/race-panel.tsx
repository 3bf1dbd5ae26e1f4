import { useState } from 'preact/hooks';
import { type Lane, RaceLanes } from '../../charts/race-lanes.js';
import { Choice } from '../../parts/field.js';
import { Failure, Notice } from '../../parts/notice.js';
import type { Offer } from './accept-words.js';
import { runRace } from './race.js';

const DRIVER_COUNTS = ['2', '4', '8', '16', '32'];

interface RacePanelProps {
  readonly label: string;
  /** Whether there is something to race for. A race under way and its result stay when there no longer is. */
  readonly isOpen: boolean;
  /** The trip that they compete for; it may be requested for the purpose. */
  readonly offer: () => Promise<Offer>;
  readonly onEnd: (offer: Offer) => void;
}

/** Several drivers press accept at once, and what each of them was answered. */
export function RacePanel({ label, isOpen, offer, onEnd }: RacePanelProps) {
  const [driverCount, setDriverCount] = useState('8');
  const [lanes, setLanes] = useState<readonly Lane[]>();
  const [tripId, setTripId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);

  const start = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      const wanted = await offer();
      setTripId(wanted.tripId);
      setLanes(await runRace(wanted, Number(driverCount)));
      onEnd(wanted);
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };

  if (!isOpen && !isRunning && lanes === undefined && error === undefined) return null;
  return (
    <section class="panel stack">
      {isOpen && (
        <form
          class="row end"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <Choice
            label="Drivers"
            value={driverCount}
            onValue={setDriverCount}
            options={DRIVER_COUNTS.map((value) => ({ value, text: value }))}
          />
          <button type="submit" class="primary" disabled={isRunning}>
            {label}
          </button>
        </form>
      )}
      <Failure error={error} />
      {lanes && <RaceResult lanes={lanes} tripId={tripId} />}
    </section>
  );
}

interface RaceResultProps {
  readonly lanes: readonly Lane[];
  readonly tripId: string | undefined;
}

function RaceResult({ lanes, tripId }: RaceResultProps) {
  return (
    <>
      <div role="status">
        <RaceVerdict lanes={lanes} />
      </div>
      <RaceLanes title={`What ${lanes.length} drivers were answered, and after how long`} lanes={lanes} />
      {tripId && (
        <p class="quiet small">
          Trip <a href={`/trips/${tripId}`}>{tripId}</a>: what happened to it, event by event.
        </p>
      )}
    </>
  );
}

function RaceVerdict({ lanes }: { readonly lanes: readonly Lane[] }) {
  const winners = lanes.filter(({ isWinner }) => isWinner);
  if (winners.length > 1) {
    return <Notice kind="broken">{winners.length} drivers were answered that they have the trip.</Notice>;
  }
  const [winner] = winners;
  if (winner === undefined) return <Notice>None of {lanes.length} drivers has the trip.</Notice>;
  return (
    <Notice kind="good">
      <strong>
        One of {lanes.length} has the trip: {winner.name}.
      </strong>{' '}
      Nobody else has it.
    </Notice>
  );
}
