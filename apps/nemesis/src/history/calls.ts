import { type Asked, type Call, grouped, type History } from './history.js';
import { nameOf, storedWinners } from './offers.js';
import { rule } from './rule.js';

export const CALL_RULES = {
  'a call that did not end': rule(
    'Every call settles within its stated time.',
    function* ({ calls, callLimitMs }) {
      for (const call of calls) {
        if (call.tookMs > callLimitMs) yield `${callWords(call)}: ${Math.round(call.tookMs)} ms`;
      }
    },
  ),

  'an internal error': rule('A failure that is expected has a code.', function* ({ calls }) {
    for (const call of calls) {
      const isInternal = call.ending.kind === 'failed' && call.ending.code === 'INTERNAL_SERVER_ERROR';
      if (isInternal) yield `${callWords(call)}: ${Math.round(call.tookMs)} ms`;
    }
  }),

  /** Looks at what was asked for once or more often, and refused each time. */
  'a refused call that was carried out': rule(
    'A call that was certainly not applied has changed nothing.',
    function* (history) {
      const done = new Set<string>([
        ...history.ledger.map(({ key }) => `number ${key}`),
        ...history.trips.map(({ riderId, key }) => `trip ${riderId} ${key}`),
        ...Array.from(storedWinners(history), ([offer, driverId]) => `accept ${offer} ${driverId}`),
      ]);
      for (const [what, calls] of grouped(history.calls, effectOf)) {
        const isRefused = calls.every(({ ending }) => ending.kind === 'failed' && !ending.outcomeUnknown);
        if (what !== undefined && isRefused && done.has(what)) yield what;
      }
    },
  ),
};

function effectOf(call: Call): string | undefined {
  if (call.asked === 'numbers') return `number ${call.key}`;
  if (call.asked === 'request') return `trip ${call.riderId} ${call.key}`;
  return call.asked === 'accept' ? `accept ${nameOf(call)} ${call.driverId}` : undefined;
}

function callWords(call: Call): string {
  return JSON.stringify({ ...call, atMs: undefined, tookMs: undefined, ending: undefined });
}

/** Kinds of answers of which a run must have received some, or it proves nothing. */
type Kind =
  | Asked
  | `numbers by ${string}`
  | `correction ${string}`
  | `ride ${string}`
  | `answer ${string}`
  | 'updates';

/** The fewest answers of each kind in a run, whatever its length. */
const MINIMUM = {
  ids: 6,
  'numbers by issue': 20,
  'numbers by batch': 2,
  'numbers by reserve': 2,
  'numbers by document': 2,
  'numbers by replacement': 2,
  borrowing: 2,
  'correction void': 2,
  'correction confirm': 1,
  'correction cancel': 1,
  import: 2,
  request: 10,
  position: 5,
  accept: 200,
  'ride start': 5,
  'ride complete': 5,
  'ride leave': 2,
  'ride cancel': 2,
  'answer TripTaken': 120,
  'answer StaleOffer': 2,
  'answer DriverBusy': 2,
  updates: 5,
} satisfies Partial<Record<Kind, number>>;

type ThinKind = keyof typeof MINIMUM;

/** The fewest answers of some kinds where they differ from the usual; 0: nobody receives them. */
export type Minimum = Partial<Record<ThinKind, number>>;

/** The kinds of answers of which a run had too few, each with its count. Empty if it had enough. */
export function findThin(
  { calls, streams }: Pick<History, 'calls' | 'streams'>,
  unusual: Minimum = {},
): string[] {
  const counts = new Map<string, number>([['updates', streams.updates.length]]);
  const count = (kind: Kind): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const call of calls) {
    if (call.ending.kind !== 'answered') continue;
    count(call.asked);
    if (call.asked === 'numbers') count(`numbers by ${call.way}`);
    if (call.asked === 'correction') count(`correction ${call.step}`);
    if (call.asked === 'ride') count(`ride ${call.step}`);
    if (call.asked === 'accept') count(`answer ${call.ending.answer.kind}`);
  }
  const wanted = Object.keys(MINIMUM) as ThinKind[];
  return wanted.flatMap((kind) => {
    const had = counts.get(kind) ?? 0;
    const minimum = unusual[kind] ?? MINIMUM[kind];
    return had < minimum ? [`${kind}: ${had} of at least ${minimum}`] : [];
  });
}
