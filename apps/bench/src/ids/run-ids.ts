import type { Experiment } from '../measuring/result.js';
import { sharedNowMs } from '../measuring/shared-clock.js';
import { Tally } from '../measuring/tally.js';
import type { ScenarioContext } from '../running/scenario.js';
import { Child } from '../workers/child.js';
import type * as FleetMember from './fleet-member.js';
import type * as Ceiling from './hold-ceiling.js';
import { measureKeys } from './measure-keys.js';
import { type IdForm, type MintCase, mintCases } from './mint-cases.js';
import type * as MintTiming from './mint-timing.js';
import { verifyIds } from './verify-ids.js';

/** IDs: the cost of one, the sustained rate, a fleet that never mints duplicates, and the cost as a key. */
export async function runIds(context: ScenarioContext): Promise<Experiment[]> {
  const cost = await costOfOne(context);
  return [...cost, await heldCeilings(context), await measureFleet(context), await measureKeys(context)];
}

/** A timing: one form of an ID, on one clock. */
interface CostQuestion {
  readonly id: string;
  readonly title: string;
  readonly form: IdForm;
  readonly clock: MintTiming.ClockKind;
}

const QUESTIONS: readonly CostQuestion[] = [
  { id: 'ids.real', title: 'one ID as a number, real clock, in bursts', form: 'bigint', clock: 'real' },
  { id: 'ids.turn', title: 'one ID in a turn of the event loop, real clock', form: 'bigint', clock: 'turn' },
  { id: 'ids.bigint', title: 'one ID as a number, mocked clock', form: 'bigint', clock: 'mocked' },
  { id: 'ids.decimal', title: 'one ID as decimal text, mocked clock', form: 'decimal', clock: 'mocked' },
  { id: 'ids.crockford', title: 'one ID as sortable text, mocked clock', form: 'crockford', clock: 'mocked' },
];

async function costOfOne({ settings, progress, dice }: ScenarioContext): Promise<Experiment[]> {
  const cases = settings.quick ? mintCases.filter(isNeeded) : mintCases;
  const asked = QUESTIONS.flatMap((question) =>
    cases
      .filter(
        ({ form, idsPerCall = 1 }) =>
          form === question.form && (question.clock === 'mocked' || idsPerCall === 1),
      )
      .map((mintCase) => ({ question, mintCase, tally: new Tally(mintCase.subject, mintCase.role) })),
  );
  progress.begin('cost of one ID', asked.length * settings.repeatCount);
  for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
    for (const { question, mintCase, tally } of dice.sample(asked, asked.length)) {
      progress.step(mintCase.subject);
      await timeOnce(mintCase, question.clock, tally);
    }
  }
  progress.end();
  return QUESTIONS.map((question) => ({
    ...idExperiment(question.id, question.title),
    lead: { metric: 'nsPerId', unit: 'ns per ID', better: 'less' },
    measurements: asked.filter((one) => one.question === question).map(({ tally }) => tally),
  }));
}

/** Solegate and the fastest peers, which the figures need; the others run only if there is time. */
function isNeeded({ subject, role }: MintCase): boolean {
  return role === 'solegate' || ['snowflake-uuid', '@sapphire/snowflake', 'tsid-ts'].includes(subject);
}

const TIMING = new URL('./mint-timing.js', import.meta.url);
const CEILING = new URL('./hold-ceiling.js', import.meta.url);
const MEMBER = new URL('./fleet-member.js', import.meta.url);

async function timeOnce(
  { form, subject }: MintCase,
  clock: MintTiming.ClockKind,
  tally: Tally,
): Promise<void> {
  await using child = new Child<typeof MintTiming>(TIMING);
  const { nsPerId, repeatedCount, checkedCount } = await child.call('timeCase', form, subject, clock);
  const witness = `${repeatedCount} of ${checkedCount} IDs of a tight loop on the real clock came twice`;
  tally.repeats.push({ nsPerId, perSecond: 1e9 / nsPerId });
  tally.verified({
    violations: repeatedCount > 0 ? [{ rule: 'unique', witness }] : [],
    verifiedCount: checkedCount,
  });
}

/** Measures which share of the IDs that a layout allows can be minted. */
async function heldCeilings({ settings, progress }: ScenarioContext): Promise<Experiment> {
  const repeatCount = settings.quick ? 1 : Math.min(2, settings.repeatCount);
  const durationMs = settings.durationMs ?? (settings.quick ? 1000 : 10_000);
  const sides = (['42/10/12', '41/10/13'] as const).map((layout) => ({
    layout,
    tally: new Tally(`solegate ${layout}`, 'solegate'),
  }));
  progress.begin(`rate held for ${durationMs / 1000} s`, repeatCount * sides.length);
  for (let repeat = 0; repeat < repeatCount; repeat += 1) {
    for (const { layout, tally } of sides) {
      progress.step(layout);
      await using child = new Child<typeof Ceiling>(CEILING);
      const held = await child.call('holdCeiling', layout, durationMs);
      const { idCount, elapsedMs, share, processorShare, orderBreak } = held;
      tally.repeats.push({ ceilingShare: share, perSecond: (idCount * 1000) / elapsedMs, processorShare });
      const witness = `ID ${orderBreak} is not above its predecessor`;
      tally.verified({
        violations: orderBreak === undefined ? [] : [{ rule: 'ordered', witness }],
        verifiedCount: idCount,
      });
    }
  }
  progress.end();
  return {
    ...idExperiment('ids.ceiling', 'share of all IDs that the layout allows, held'),
    lead: { metric: 'ceilingShare', unit: 'of the ceiling', better: 'more' },
    measurements: sides.map(({ tally }) => tally),
  };
}

/** Time for the call to reach every process. */
const START_DELAY_MS = 20;

/** Measures a fleet whose processes each lease a node and mint simultaneously: there must be no duplicates. */
export async function measureFleet({ settings, stores, progress }: ScenarioContext): Promise<Experiment> {
  const processes = settings.processes ?? 4;
  const idCount = settings.quick ? 100_000 : 1_000_000;
  const repeatCount = settings.quick ? 1 : 2;
  const tally = new Tally('solegate', 'solegate');
  progress.begin(`a fleet of ${processes} processes with leased nodes`, repeatCount);
  for (let repeat = 0; repeat < repeatCount; repeat += 1) {
    progress.step(`${processes} × ${idCount.toLocaleString('en-US')} IDs`);
    const members = Array.from({ length: processes }, () => new Child<typeof FleetMember>(MEMBER));
    const namespace = `bench:fleet:${repeat}`;
    const sabotaged = settings.sabotage.has('ids');
    await Promise.all(members.map((member) => member.call('join', stores.redisUrl, namespace, sabotaged)));
    const startMs = sharedNowMs() + START_DELAY_MS;
    const minted = await Promise.all(members.map((member) => member.call('mint', idCount, startMs)));
    await Promise.all(members.map((member) => member[Symbol.asyncDispose]()));
    const longestMs = Math.max(...minted.map(({ elapsedMs }) => elapsedMs));
    tally.repeats.push({ perSecond: (processes * idCount * 1000) / longestMs });
    tally.verified({ violations: verifyIds(minted), verifiedCount: processes * idCount });
  }
  progress.end();
  return {
    ...idExperiment('ids.fleet', `${processes} processes at once, each on a node leased from Redis`),
    processes,
    lead: { metric: 'perSecond', unit: 'IDs/s', better: 'more' },
    measurements: [tally],
  };
}

function idExperiment(id: string, title: string) {
  return { id, scenario: 'ids', title, parallel: 1, processes: 1 } as const;
}
