import { compared, point, type Target } from '../figures/target.js';

const PROCESSES = [1, 4] as const;
const SHAPES = ['1x100', '1x1000', '1000x20'] as const;

const TITLES = {
  '1x100': '1 trip × 100 drivers',
  '1x1000': '1 trip × 1,000 drivers',
  '1000x20': '1,000 trips × 20 drivers',
} as const;

const RIVALS = {
  original: { than: 'original design', words: 'the original design, which has no guard' },
  'by-hand': { than: 'same promises by hand', words: 'the same promises by hand' },
} as const;

type Shape = (typeof SHAPES)[number];
type ProcessCount = (typeof PROCESSES)[number];

/** A target for answers per second on one trip, or accepts per second over many trips. */
function rate(shape: Shape, processes: ProcessCount, rival: keyof typeof RIVALS, times: number): Target {
  const experiment = `trips.${shape}.p${processes}`;
  const [metric, unit] =
    shape === '1000x20' ? ['acceptsPerSecond', 'accepts/s'] : ['perSecond', 'requests/s'];
  const { than, words } = RIVALS[rival];
  const text = `${titleOf(shape, processes)}: ${unit} against ${words}`;
  return compared(`${experiment}.${rival}`, text, { experiment, than, metric }, { atLeast: times });
}

function titleOf(shape: Shape, processes: ProcessCount): string {
  return `${TITLES[shape]}, ${processes === 1 ? '1 process' : `${processes} processes`}`;
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

const disturbed = (subject: string) => ({
  experiment: 'trips.1000x20.p1',
  subject,
  than: 'solegate',
  metric: 'acceptsPerSecond',
});

/** Targets for trips: a crowd for one trip, and many trips at a time. */
export const targets: readonly Target[] = [
  ...PROCESSES.flatMap((processes) =>
    SHAPES.flatMap((shape) => [
      rate(shape, processes, 'original', TIMES_ORIGINAL[`${shape}.${processes}`] ?? 1),
      rate(shape, processes, 'by-hand', 5),
    ]),
  ),
  compared(
    'trips.1000x20.p1.winner',
    "1,000 trips × 20 drivers, 1 process: the winner's p50 against the original design",
    { experiment: 'trips.1000x20.p1', than: 'original design', metric: 'winnerP50Ms' },
    { atMost: 1 / 4 },
  ),
  ...PROCESSES.map(
    (processes): Target => ({
      id: `trips.1x100.p${processes}.loser`,
      text: `${titleOf('1x100', processes)}: a loser's p50`,
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
  compared(
    'trips.held-row',
    "1,000 trips × 20 drivers, somebody holds another trip's row: accepts/s against undisturbed",
    disturbed('solegate, one row held'),
    { atLeast: 0.9 },
  ),
  compared(
    'trips.positions',
    '1,000 trips × 20 drivers, 10,000 drivers reporting where they are every 4 s: accepts/s against without',
    disturbed('solegate, drivers report positions'),
    { atLeast: 0.75 },
  ),
  {
    id: 'trips.positions.rate',
    text: 'Positions kept a second beside these accepts',
    measured: point('trips.1000x20.p1', 'solegate, drivers report positions', 'positionsPerSecond'),
    bound: { atLeast: 2250 },
    form: 'perAnswer',
  },
];
