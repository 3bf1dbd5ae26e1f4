import { point, type Target } from '../figures/target.js';

const fastestPeer = { fastest: 'peer' } as const;

const KEY_COSTS = [
  ['insert', 'insertsPerSecond'],
  ['join', 'joinsPerSecond'],
  ['size', 'keysPerMegabyte'],
] as const;

/** A key of 8 bytes against a key of 16: rows inserted and joined in a second, keys in a megabyte of index. */
const keyTargets = (name: string, uuid: string, bounds: readonly [number, number, number]): Target[] =>
  KEY_COSTS.map(([cost, metric], index) => ({
    id: `ids.key.${cost}.${name}`,
    text: `TSID as key, ${cost === 'size' ? 'keys in a megabyte of index' : `${cost}s in a second`}, against a ${uuid}`,
    measured: point('ids.keys', 'solegate TSID, bigint', metric),
    against: point('ids.keys', uuid, metric),
    bound: { atLeast: bounds[index] as number },
    form: 'times',
  }));

/** Targets for the cost of one ID, for the rate, and for the cost as a key. */
export const targets: readonly Target[] = [
  ...keyTargets('random', 'random UUID', [1.4, 1.4, 1.4]),
  ...keyTargets('v7', 'UUIDv7', [1.1, 0.8, 1.1]),
  {
    id: 'ids.next.real',
    text: 'next() as bigint, against the fastest npm peer, real clock, in bursts',
    measured: point('ids.real', 'solegate next()', 'perSecond'),
    against: point('ids.real', fastestPeer, 'perSecond'),
    bound: { atLeast: 2.5 },
    form: 'times',
  },
  {
    id: 'ids.next.turn',
    text: 'the same, one ID in each turn of the event loop',
    measured: point('ids.turn', 'solegate next()', 'perSecond'),
    against: point('ids.turn', fastestPeer, 'perSecond'),
    bound: { atLeast: 1.3 },
    form: 'times',
  },
  {
    id: 'ids.next',
    text: 'the same with a mocked clock, the work alone',
    measured: point('ids.bigint', 'solegate next()', 'perSecond'),
    against: point('ids.bigint', fastestPeer, 'perSecond'),
    bound: { atLeast: 7 },
    form: 'times',
  },
  {
    id: 'ids.batch',
    text: "batch into a typed array, against the fastest peer's single call",
    measured: point('ids.bigint', 'solegate fill()', 'perSecond'),
    against: point('ids.bigint', fastestPeer, 'perSecond'),
    bound: { atLeast: 60 },
    form: 'times',
  },
  {
    id: 'ids.crockford',
    text: 'Crockford-13 text, against tsid-ts',
    measured: point('ids.crockford', 'solegate', 'perSecond'),
    against: point('ids.crockford', 'tsid-ts', 'perSecond'),
    bound: { atLeast: 60 },
    form: 'times',
  },
  {
    id: 'ids.decimal',
    text: 'decimal text, against the fastest peer',
    measured: point('ids.decimal', 'solegate', 'perSecond'),
    against: point('ids.decimal', fastestPeer, 'perSecond'),
    bound: { atLeast: 4 },
    form: 'times',
  },
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
