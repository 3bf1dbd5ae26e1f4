import { useState } from 'preact/hooks';
import { type Lane, RaceLanes } from '../../charts/race-lanes.js';
import { Choice } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Failure, Notice } from '../../parts/notice.js';
import { useAction } from '../../session/use-action.js';
import type { Offer } from './accept-words.js';
import { runRace } from './race.js';

const DRIVER_COUNTS = ['2', '4', '8', '16', '32'];

interface RacePanelProps {
  readonly label: string;
  /** Whether the trip can be raced for. A race in progress and its result stay visible afterwards. */
  readonly isOpen: boolean;
  /** Returns the trip to compete for, requesting one if necessary. */
  readonly offer: () => Promise<Offer>;
  readonly onEnd: () => void;
}

/** Lets several drivers accept simultaneously and shows each one's result. */
export function RacePanel({ label, isOpen, offer, onEnd }: RacePanelProps) {
  const [driverCount, setDriverCount] = useState('8');
  const [lanes, setLanes] = useState<readonly Lane[]>();
  const [tripId, setTripId] = useState<string>();
  const { error, isRunning, run } = useAction();
  const race = async (): Promise<void> => {
    const wanted = await offer();
    setTripId(wanted.tripId);
    setLanes(await runRace(wanted, Number(driverCount)));
    onEnd();
  };

  if (!isOpen && !isRunning && lanes === undefined && error === undefined) return null;
  return (
    <section class="panel stack">
      {isOpen && (
        <Form class="row end" onSubmit={() => run(race)}>
          <Choice
            label="Drivers"
            value={driverCount}
            onValue={setDriverCount}
            options={DRIVER_COUNTS.map((value) => ({ value, text: value }))}
          />
          <button type="submit" class="primary" disabled={isRunning}>
            {label}
          </button>
        </Form>
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
      <RaceLanes title={`Results and latencies of ${lanes.length} drivers`} lanes={lanes} />
      {tripId && (
        <p class="quiet small">
          Trip <a href={`/trips/${tripId}`}>{tripId}</a>: full history, event by event.
        </p>
      )}
    </>
  );
}

function RaceVerdict({ lanes }: { readonly lanes: readonly Lane[] }) {
  const winners = lanes.filter(({ isWinner }) => isWinner);
  if (winners.length > 1) {
    return <Notice kind="broken">{winners.length} drivers got the same trip.</Notice>;
  }
  const [winner] = winners;
  if (winner === undefined) return <Notice>None of {lanes.length} drivers got the trip.</Notice>;
  return (
    <Notice kind="good">
      <strong>
        One of {lanes.length} has the trip: {winner.name}.
      </strong>{' '}
      No one else has it.
    </Notice>
  );
}
