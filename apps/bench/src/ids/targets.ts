import { compared, point, type Target } from '../figures/target.js';

const fastestPeer = { fastest: 'peer' } as const;

/** A key of 8 bytes against a key of 16: rows inserted and joined in a second, keys in a megabyte of index. */
const KEY_COSTS = {
  insert: { metric: 'insertsPerSecond', words: 'inserts in a second' },
  join: { metric: 'joinsPerSecond', words: 'joins in a second' },
  size: { metric: 'keysPerMegabyte', words: 'keys in a megabyte of index' },
} as const;

function keyTarget(cost: keyof typeof KEY_COSTS, name: string, uuid: string, times: number): Target {
  const { metric, words } = KEY_COSTS[cost];
  const comparison = { experiment: 'ids.keys', subject: 'solegate TSID, bigint', than: uuid, metric };
  const text = `TSID as key, ${words}, against a ${uuid}`;
  return compared(`ids.key.${cost}.${name}`, text, comparison, { atLeast: times });
}

/** Targets for the cost of one ID, for the rate, and for the cost as a key. */
export const targets: readonly Target[] = [
  keyTarget('insert', 'random', 'random UUID', 1.4),
  keyTarget('join', 'random', 'random UUID', 1.4),
  keyTarget('size', 'random', 'random UUID', 1.4),
  keyTarget('insert', 'v7', 'UUIDv7', 1.1),
  keyTarget('join', 'v7', 'UUIDv7', 0.8),
  keyTarget('size', 'v7', 'UUIDv7', 1.1),
  compared(
    'ids.next.real',
    'next() as bigint, against the fastest npm peer, real clock, in bursts',
    { experiment: 'ids.real', subject: 'solegate next()', than: fastestPeer },
    { atLeast: 2.5 },
  ),
  compared(
    'ids.next.turn',
    'the same, one ID in each turn of the event loop',
    { experiment: 'ids.turn', subject: 'solegate next()', than: fastestPeer },
    { atLeast: 1.3 },
  ),
  compared(
    'ids.next',
    'the same with a mocked clock, the work alone',
    { experiment: 'ids.bigint', subject: 'solegate next()', than: fastestPeer },
    { atLeast: 7 },
  ),
  compared(
    'ids.batch',
    "batch into a typed array, against the fastest peer's single call",
    { experiment: 'ids.bigint', subject: 'solegate fill()', than: fastestPeer },
    { atLeast: 60 },
  ),
  compared(
    'ids.crockford',
    'Crockford-13 text, against tsid-ts',
    { experiment: 'ids.crockford', than: 'tsid-ts' },
    { atLeast: 60 },
  ),
  compared(
    'ids.decimal',
    'decimal text, against the fastest peer',
    { experiment: 'ids.decimal', than: fastestPeer },
    { atLeast: 4 },
  ),
  {
    id: 'ids.ceiling.12',
    text: 'share of the 4,096,000/s that 12 sequence bits allow, held',
    measured: point('ids.ceiling', 'solegate 42/10/12', 'ceilingShare'),
    bound: { atLeast: 0.995 },
    form: 'share',
  },
  {
    id: 'ids.ceiling.13',
    text: 'share of the 8,192,000/s that 13 sequence bits allow, held',
    measured: point('ids.ceiling', 'solegate 41/10/13', 'ceilingShare'),
    bound: { atLeast: 0.95 },
    form: 'share',
  },
];
