import { point, type Target } from '../figures/target.js';

const PROCESSES = [1, 4] as const;
const SHAPES = ['1x100', '1x1000', '1000x20'] as const;

const TITLES = {
  '1x100': '1 trip × 100 drivers',
  '1x1000': '1 trip × 1,000 drivers',
  '1000x20': '1,000 trips × 20 drivers',
} as const;

interface Rate {
  readonly shape: (typeof SHAPES)[number];
  readonly processes: (typeof PROCESSES)[number];
  readonly than: 'original design' | 'same promises by hand';
  readonly times: number;
}

/** A target for answers per second on one trip, or accepts per second over many trips. */
function rate({ shape, processes, than, times }: Rate): Target {
  const experiment = `trips.${shape}.p${processes}`;
  const metric = shape === '1000x20' ? 'acceptsPerSecond' : 'perSecond';
  const what = shape === '1000x20' ? 'accepts/s' : 'requests/s';
  const words = `${TITLES[shape]}, ${processes === 1 ? '1 process' : `${processes} processes`}`;
  return {
    id: `${experiment}.${than === 'original design' ? 'original' : 'by-hand'}`,
    text: `${words}: ${what} against ${than === 'original design' ? 'the original design, which has no guard' : 'the same promises by hand'}`,
    measured: point(experiment, 'solegate', metric),
    against: point(experiment, than, metric),
    bound: { atLeast: times },
    form: 'times',
  };
}

/**
 * Factors where the original design is not the bound: more for a crowd on a single process; less where a loser who is
 * answered the truth waits for a commit of another process.
 */
const TIMES_ORIGINAL: Readonly<Record<string, number>> = {
  '1x1000.1': 2.3,
  '1000x20.1': 1.6,
  '1x100.4': 0.75,
};
/** A loser's p50 for the crowd of a trip, in milliseconds, by processes: twice what an idle machine shows. */
const LOSER_P50_MS = { 1: 3, 4: 6 } as const;

/** Targets for trips: a crowd for one trip, and many trips at a time. */
export const targets: readonly Target[] = [
  ...PROCESSES.flatMap((processes) =>
    SHAPES.flatMap((shape) => [
      rate({
        shape,
        processes,
        than: 'original design',
        times: TIMES_ORIGINAL[`${shape}.${processes}`] ?? 1,
      }),
      rate({ shape, processes, than: 'same promises by hand', times: 5 }),
    ]),
  ),
  {
    id: 'trips.1000x20.p1.winner',
    text: "1,000 trips × 20 drivers, 1 process: the winner's p50 against the original design",
    measured: point('trips.1000x20.p1', 'solegate', 'winnerP50Ms'),
    against: point('trips.1000x20.p1', 'original design', 'winnerP50Ms'),
    bound: { atMost: 1 / 4 },
    form: 'fraction',
  },
  ...PROCESSES.map(
    (processes): Target => ({
      id: `trips.1x100.p${processes}.loser`,
      text: `${TITLES['1x100']}, ${processes === 1 ? '1 process' : `${processes} processes`}: a loser's p50`,
      measured: point(`trips.1x100.p${processes}`, 'solegate', 'loserP50Ms'),
      bound: { atMost: LOSER_P50_MS[processes] },
      form: 'ms',
    }),
  ),
  {
    id: 'trips.search.ping',
    text: 'A search among 100,000 drivers within 8 km, 30,000 of them just silent: longest PING of another client',
    measured: point('trips.search', 'solegate', 'pingMaxMs'),
    bound: { atMost: 20 },
    form: 'ms',
  },
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
  {
    id: 'trips.held-row',
    text: "1,000 trips × 20 drivers, somebody holds another trip's row: accepts/s against undisturbed",
    measured: point('trips.1000x20.p1', 'solegate, one row held', 'acceptsPerSecond'),
    against: point('trips.1000x20.p1', 'solegate', 'acceptsPerSecond'),
    bound: { atLeast: 0.9 },
    form: 'times',
  },
  {
    id: 'trips.positions',
    text: '1,000 trips × 20 drivers, 10,000 drivers reporting where they are every 4 s: accepts/s against without',
    measured: point('trips.1000x20.p1', 'solegate, drivers report positions', 'acceptsPerSecond'),
    against: point('trips.1000x20.p1', 'solegate', 'acceptsPerSecond'),
    bound: { atLeast: 0.75 },
    form: 'times',
  },
  {
    id: 'trips.positions.rate',
    text: 'Positions kept a second beside these accepts',
    measured: point('trips.1000x20.p1', 'solegate, drivers report positions', 'positionsPerSecond'),
    bound: { atLeast: 2250 },
    form: 'perAnswer',
  },
];
