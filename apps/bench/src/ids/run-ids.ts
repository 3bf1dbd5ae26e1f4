import type { Experiment, Measurement, Metrics, SubjectRole, Violation } from '../measuring/result.js';
import { shuffled } from '../measuring/seeded-random.js';
import type { ScenarioContext } from '../running/scenario.js';
import { measureKeys } from './measure-keys.js';
import { type IdForm, type MintCase, mintCases } from './mint-cases.js';
import type { ClockKind } from './mint-process.js';
import { minted, mintedTogether } from './minting.js';
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
  readonly clock: ClockKind;
}

const QUESTIONS: readonly CostQuestion[] = [
  { id: 'ids.real', title: 'one ID as a number, real clock, in bursts', form: 'bigint', clock: 'real' },
  { id: 'ids.turn', title: 'one ID in a turn of the event loop, real clock', form: 'bigint', clock: 'turn' },
  { id: 'ids.bigint', title: 'one ID as a number, mocked clock', form: 'bigint', clock: 'mocked' },
  { id: 'ids.decimal', title: 'one ID as decimal text, mocked clock', form: 'decimal', clock: 'mocked' },
  { id: 'ids.crockford', title: 'one ID as sortable text, mocked clock', form: 'crockford', clock: 'mocked' },
];

interface Tally {
  readonly repeats: Metrics[];
  readonly violations: Violation[];
  verifiedCount: number;
}

const emptyTally = (): Tally => ({ repeats: [], violations: [], verifiedCount: 0 });

async function costOfOne({ settings, progress, random }: ScenarioContext): Promise<Experiment[]> {
  const cases = settings.quick ? mintCases.filter(isNeeded) : mintCases;
  const asked = QUESTIONS.flatMap((question) =>
    cases
      .filter(
        ({ form, idsPerCall = 1 }) =>
          form === question.form && (question.clock === 'mocked' || idsPerCall === 1),
      )
      .map((mintCase) => ({ question, mintCase, tally: emptyTally() })),
  );
  progress.begin('cost of one ID', asked.length * settings.repeatCount);
  for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
    for (const { question, mintCase, tally } of shuffled(asked, random)) {
      progress.step(mintCase.subject);
      await timeOnce(mintCase, question.clock, tally);
    }
  }
  progress.end();
  return QUESTIONS.map((question) => ({
    ...idExperiment(question.id, question.title),
    lead: { metric: 'nsPerId', unit: 'ns per ID', better: 'less' },
    measurements: asked
      .filter((one) => one.question === question)
      .map(({ mintCase: { subject, role }, tally }) => measurement(subject, role, tally)),
  }));
}

/** Solegate and the fastest peers, which the figures need; the others run only if there is time. */
function isNeeded({ subject, role }: MintCase): boolean {
  return role === 'solegate' || ['snowflake-uuid', '@sapphire/snowflake', 'tsid-ts'].includes(subject);
}

async function timeOnce({ form, subject }: MintCase, clock: ClockKind, tally: Tally): Promise<void> {
  const answer = await minted({ kind: 'time', form, subject, clock });
  if (answer.kind !== 'timed') throw new Error(`asked for a time, got ${answer.kind}`);
  const { nsPerId, repeatedCount, checkedCount } = answer;
  tally.repeats.push({ nsPerId, perSecond: 1e9 / nsPerId });
  tally.verifiedCount += checkedCount;
  if (repeatedCount > 0 && tally.violations.length === 0) {
    const witness = `${repeatedCount} of ${checkedCount} IDs of a tight loop on the real clock came twice`;
    tally.violations.push({ rule: 'unique', witness });
  }
}

const CEILINGS = ['42/10/12', '41/10/13'] as const;

/** Measures which share of the IDs that a layout allows can be minted. */
async function heldCeilings({ settings, progress }: ScenarioContext): Promise<Experiment> {
  const repeatCount = settings.quick ? 1 : Math.min(2, settings.repeatCount);
  const durationMs = settings.durationMs ?? (settings.quick ? 1000 : 10_000);
  progress.begin(`rate held for ${durationMs / 1000} s`, repeatCount * CEILINGS.length);
  const tallies = new Map(CEILINGS.map((layout) => [layout, emptyTally()]));
  for (let repeat = 0; repeat < repeatCount; repeat += 1) {
    for (const [layout, tally] of tallies) {
      progress.step(layout);
      const answer = await minted({ kind: 'ceiling', layout, durationMs });
      if (answer.kind !== 'held') throw new Error(`asked for a ceiling, got ${answer.kind}`);
      const { idCount, elapsedMs, share, processorShare, orderBreak } = answer;
      const perSecond = (idCount * 1000) / elapsedMs;
      tally.repeats.push({ ceilingShare: share, perSecond, processorShare });
      tally.verifiedCount += idCount;
      if (orderBreak !== undefined) {
        tally.violations.push({ rule: 'ordered', witness: `ID ${orderBreak} is not above its predecessor` });
      }
    }
  }
  progress.end();
  return {
    ...idExperiment('ids.ceiling', 'share of all IDs that the layout allows, held'),
    lead: { metric: 'ceilingShare', unit: 'of the ceiling', better: 'more' },
    measurements: [...tallies].map(([layout, tally]) => measurement(`solegate ${layout}`, 'solegate', tally)),
  };
}

/** Measures a fleet whose processes each lease a node and mint simultaneously: there must be no duplicates. */
export async function measureFleet({ settings, stores, progress }: ScenarioContext): Promise<Experiment> {
  const processes = settings.processes ?? 4;
  const idCount = settings.quick ? 100_000 : 1_000_000;
  const repeatCount = settings.quick ? 1 : 2;
  const tally = emptyTally();
  progress.begin(`a fleet of ${processes} processes with leased nodes`, repeatCount);
  for (let repeat = 0; repeat < repeatCount; repeat += 1) {
    progress.step(`${processes} × ${idCount.toLocaleString('en-US')} IDs`);
    const answers = await mintedTogether(
      Array.from({ length: processes }, () => ({
        kind: 'fleet',
        redisUrl: stores.redisUrl,
        namespace: `bench:fleet:${repeat}`,
        idCount,
        sabotaged: settings.sabotage.has('ids'),
      })),
    );
    const members = answers.flatMap((answer) => (answer.kind === 'minted' ? [answer] : []));
    const longestMs = Math.max(...members.map(({ elapsedMs }) => elapsedMs));
    tally.repeats.push({ perSecond: (processes * idCount * 1000) / longestMs });
    tally.verifiedCount += processes * idCount;
    tally.violations.push(...verifyIds(members));
  }
  progress.end();
  return {
    ...idExperiment('ids.fleet', `${processes} processes at once, each on a node leased from Redis`),
    processes,
    lead: { metric: 'perSecond', unit: 'IDs/s', better: 'more' },
    measurements: [measurement('solegate', 'solegate', tally)],
  };
}

function idExperiment(id: string, title: string) {
  return { id, scenario: 'ids', title, parallel: 1, processes: 1 } as const;
}

function measurement(subject: string, role: SubjectRole, tally: Tally): Measurement {
  return { subject, role, ...tally, latencies: {}, failures: {} };
}
