import { point, type Target } from '../figures/target.js';

const fastestPeer = { fastest: 'peer' } as const;

/** Targets for the cost of one ID and for the rate. */
export const targets: readonly Target[] = [
  {
    id: 'ids.next.real',
    text: 'next() as bigint, against the fastest npm peer, real clock',
    measured: point('ids.real', 'solegate next()', 'perSecond'),
    against: point('ids.real', fastestPeer, 'perSecond'),
    bound: { atLeast: 3.5 },
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
