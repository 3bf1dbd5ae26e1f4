import type { TsidGenerator } from '@solegate/tsid-core';
import type { SubjectRole } from '../measuring/result.js';
import type { MockedClock } from './mocked-clock.js';

/** The form in which an ID is returned; only subjects with the same form are compared. */
export type IdForm = 'bigint' | 'decimal' | 'crockford';

/** The clock of a case, and its node below 32, since two generators of one process must differ. */
interface MintPlace {
  readonly clock: MockedClock;
  readonly node: number;
}

/** One way of minting. `create` runs in a separate process, after the clock has been mocked. */
export interface MintCase {
  readonly form: IdForm;
  readonly subject: string;
  readonly role: SubjectRole;
  /** IDs that one call mints; default 1. */
  readonly idsPerCall?: number;
  create(place: MintPlace): Promise<() => unknown>;
}

const BATCH = 4096;
/** The epoch of the peers, so that all mint IDs of the same length. */
const EPOCH_MS = Date.UTC(2020, 0, 1);

function own(
  form: IdForm,
  subject: string,
  mintOf: (generator: TsidGenerator, place: MintPlace) => () => unknown,
): MintCase {
  const create = async (place: MintPlace) => {
    const { createTsidGenerator } = await import('@solegate/tsid-core');
    return mintOf(createTsidGenerator({ node: place.node }), place);
  };
  return { form, subject, role: 'solegate', create };
}

const ours: readonly MintCase[] = [
  own('bigint', 'solegate next()', (generator) => () => generator.next()),
  {
    ...own('bigint', 'solegate fill()', (generator, { clock }) => {
      const target = new BigUint64Array(BATCH);
      return () => {
        clock.tick();
        return generator.fill(target);
      };
    }),
    idsPerCall: BATCH,
  },
  own('decimal', 'solegate', (generator) => () => generator.nextString('decimal')),
  own('crockford', 'solegate', (generator) => () => generator.nextString('crockford')),
];

const snowflakes: Readonly<Record<string, (place: MintPlace) => Promise<() => bigint>>> = {
  'snowflake-uuid': async ({ node }) => {
    const { Worker } = await import('snowflake-uuid');
    const worker = new Worker(node, 0, {
      epoch: EPOCH_MS,
      workerIdBits: 5,
      datacenterIdBits: 5,
      sequenceBits: 12,
    });
    return () => worker.nextId();
  },
  '@sapphire/snowflake': async () => {
    const { Snowflake } = await import('@sapphire/snowflake');
    const snowflake = new Snowflake(EPOCH_MS);
    return () => snowflake.generate();
  },
  'nodejs-snowflake': async ({ node }) => {
    const { Snowflake } = await import('nodejs-snowflake');
    const snowflake = new Snowflake({ custom_epoch: EPOCH_MS, instance_id: node });
    return () => snowflake.getUniqueID() as bigint;
  },
};

const flakeIdgen = async ({ node }: MintPlace): Promise<() => Buffer> => {
  const { default: FlakeId } = await import('flake-idgen');
  const generator = new FlakeId({ id: node, epoch: EPOCH_MS });
  return () => generator.next();
};

const texts: Readonly<Record<string, (place: MintPlace) => Promise<() => string>>> = {
  'tsid-ts': async ({ node }) => {
    const { TSIDGenerator } = await import('tsid-ts');
    const generator = new TSIDGenerator(node, 10, EPOCH_MS);
    return () => generator.create().toString();
  },
  'ulid, monotonic': async () => (await import('ulid')).monotonicFactory(),
  'uuid v7': async () => (await import('uuid')).v7,
  nanoid: async () => {
    const { nanoid } = await import('nanoid');
    return () => nanoid();
  },
};

function peer(form: IdForm, subject: string, create: MintCase['create']): MintCase {
  return { form, subject, role: 'peer', create };
}

const peers: readonly MintCase[] = [
  ...Object.entries(snowflakes).flatMap(([subject, create]) => [
    peer('bigint', subject, create),
    peer('decimal', subject, async (place) => {
      const next = await create(place);
      return () => next().toString();
    }),
  ]),
  peer('bigint', 'flake-idgen (Buffer)', flakeIdgen),
  peer('decimal', 'flake-idgen', async (place) => {
    const next = await flakeIdgen(place);
    return () => next().readBigUInt64BE().toString();
  }),
  ...Object.entries(texts).map(([subject, create]) => peer('crockford', subject, create)),
];

export const mintCases: readonly MintCase[] = [...ours, ...peers];
