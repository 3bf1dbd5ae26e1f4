import { point, type Target } from './target.js';

function tripRequests(shape: string, processes: number, times: number): Target {
  const experiment = `trips.${shape}.p${processes}`;
  return {
    id: `${experiment}.requests`,
    text: `${shape.replace('x', ' trip × ')} drivers, ${processes === 1 ? '1 process' : `${processes} processes`}: requests/s against the seed's flow`,
    measured: point(experiment, 'solegate', 'perSecond'),
    against: point(experiment, "seed's flow", 'perSecond'),
    bound: { atLeast: times },
    form: 'times',
  };
}

function wideTrips(processes: number, times: number): Target[] {
  const experiment = `trips.1000x20.p${processes}`;
  const shape = `1,000 trips × 20 drivers, ${processes === 1 ? '1 process' : `${processes} processes`}`;
  return [
    {
      id: `${experiment}.accepts`,
      text: `${shape}: accepts/s against the seed's flow`,
      measured: point(experiment, 'solegate', 'acceptsPerSecond'),
      against: point(experiment, "seed's flow", 'acceptsPerSecond'),
      bound: { atLeast: times },
      form: 'times',
    },
    {
      id: `${experiment}.winner`,
      text: `${shape}: the winner's p50 against the seed's flow`,
      measured: point(experiment, 'solegate', 'winnerP50Ms'),
      against: point(experiment, "seed's flow", 'winnerP50Ms'),
      bound: { atMost: 1 / 4 },
      form: 'fraction',
    },
  ];
}

/** Trips: a crowd before one, and many trips at once. */
export const tripTargets: readonly Target[] = [
  tripRequests('1x100', 1, 1.2),
  tripRequests('1x1000', 1, 2.5),
  tripRequests('1x100', 4, 1.3),
  tripRequests('1x1000', 4, 3),
  ...wideTrips(1, 2),
  ...wideTrips(4, 1.5),
  {
    id: 'trips.loser.sql',
    text: 'SQL statements per loser, 1 trip × 1,000 drivers',
    measured: point('trips.1x1000.p1', 'solegate', 'sqlPerLoser'),
    bound: { atMost: 0 },
    form: 'perAnswer',
  },
  {
    id: 'trips.accept.sql',
    text: 'SQL statements per accept, 1,000 trips × 20 drivers',
    measured: point('trips.1000x20.p1', 'solegate', 'sqlPerAccept'),
    bound: { atMost: 0.2 },
    form: 'perAnswer',
  },
];
