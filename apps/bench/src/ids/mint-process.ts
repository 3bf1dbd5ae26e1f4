import { createTsidGenerator, TSID_41_10_13, TSID_42_10_12 } from '@solegate/tsid-core';
import { type FleetOrder, mintInFleet } from './fleet-member.js';
import { type HeldCeiling, holdCeiling } from './hold-ceiling.js';
import { mintCases } from './mint-cases.js';
import { nanosecondsPerId, nanosecondsPerIdInBursts, nanosecondsPerIdInTurns } from './mint-timing.js';
import { mockClock } from './mocked-clock.js';

/** The clock while IDs are timed: mocked, real in bursts, or real with one ID in each turn of the event loop. */
export type ClockKind = 'mocked' | 'real' | 'turn';

/** An order for a minting process, which answers once and ends. A fleet starts together, see {@link MintStart}. */
export type MintOrder =
  | {
      readonly kind: 'time';
      readonly form: string;
      readonly subject: string;
      readonly clock: ClockKind;
    }
  | { readonly kind: 'ceiling'; readonly layout: '42/10/12' | '41/10/13'; readonly durationMs: number }
  | FleetOrder;

/** Sent to every process of a fleet once all have reported that they are ready. */
export interface MintStart {
  readonly kind: 'start';
  /** On the shared clock. */
  readonly atMs: number;
}

export type MintAnswer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'timed';
      readonly nsPerId: number;
      readonly repeatedCount: number;
      readonly checkedCount: number;
    }
  | ({ readonly kind: 'held' } & HeldCeiling)
  | {
      readonly kind: 'minted';
      readonly ids: BigUint64Array;
      readonly node: number;
      readonly elapsedMs: number;
    }
  | { readonly kind: 'failed'; readonly message: string };

async function obey(order: MintOrder): Promise<MintAnswer> {
  switch (order.kind) {
    case 'time':
      return timeCase(order);
    case 'ceiling': {
      const layout = order.layout === '42/10/12' ? TSID_42_10_12 : TSID_41_10_13;
      return { kind: 'held', ...holdCeiling(createTsidGenerator({ node: 1, layout }), order.durationMs) };
    }
    case 'fleet':
      return { kind: 'minted', ...(await mintInFleet(order, everybodyReady)) };
  }
}

async function timeCase({
  form,
  subject,
  clock: kind,
}: Extract<MintOrder, { kind: 'time' }>): Promise<MintAnswer> {
  const found = mintCases.find((candidate) => candidate.form === form && candidate.subject === subject);
  if (found === undefined) throw new Error(`no minting case ${form} ${subject}`);
  const clock = kind === 'mocked' ? mockClock() : { tick: () => {}, restore: () => {} };
  const mint = await found.create({ clock, node: 5 });
  const nsPerId = await {
    mocked: async () => nanosecondsPerId(mint, found.idsPerCall ?? 1),
    real: () => nanosecondsPerIdInBursts(mint),
    turn: () => nanosecondsPerIdInTurns(mint),
  }[kind]();
  clock.restore();
  return { kind: 'timed', nsPerId, ...countRepeated(await found.create({ clock, node: 6 })) };
}

/** How long, and for how many IDs at most, a subject mints on the real clock to check for duplicates. */
const CHECK_MS = 60;
const CHECKED_MAX = 100_000;

/** Mints in a tight loop on the real clock and counts duplicate IDs. */
function countRepeated(mint: () => unknown): { repeatedCount: number; checkedCount: number } {
  const seen = new Set<string>();
  let checkedCount = 0;
  const untilMs = performance.now() + CHECK_MS;
  while (checkedCount < CHECKED_MAX && performance.now() < untilMs) {
    for (const text of textsOf(mint())) {
      seen.add(text);
      checkedCount += 1;
    }
  }
  return { repeatedCount: checkedCount - seen.size, checkedCount };
}

function textsOf(minted: unknown): string[] {
  if (minted instanceof BigUint64Array) return Array.from(minted, String);
  return [Buffer.isBuffer(minted) ? minted.toString('hex') : String(minted)];
}

function everybodyReady(): Promise<number> {
  process.send?.({ kind: 'ready' } satisfies MintAnswer);
  return new Promise((resolve) => {
    process.once('message', ({ atMs }: MintStart) => resolve(atMs));
  });
}

process.once('message', (order: MintOrder) => {
  void obey(order)
    .catch((error: unknown): MintAnswer => ({ kind: 'failed', message: String(error) }))
    .then((answer) => process.send?.(answer, () => process.exit()));
});
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
