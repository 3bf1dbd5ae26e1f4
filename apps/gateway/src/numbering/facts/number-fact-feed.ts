import type { NumberFact, Numbering } from '@solegate/doc-numbering';
import type { PubSub } from '@solegate/redis-infra';
import { type FactBatch, type FactReaders, openWoken } from '../../graphql/fact-readers.js';
import type { Events } from '../../graphql/mapped-iterator.js';
import type { RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf } from '../../master-data/project-access.js';
import { issuedChannel } from '../issue/issued-feed.js';
import type { DocumentNumberFactsArgs } from './number-facts.type.js';

/** Facts about numbers, from the ledger; what gateways publish about issued numbers only ends the wait for them. */
export class NumberFactFeed {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly pubSub: PubSub,
    private readonly readers: FactReaders,
  ) {}

  /** @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE; NumberingError */
  async follow(
    args: DocumentNumberFactsArgs,
    { identity, lastEventId }: RequestContext,
  ): Promise<Events<FactBatch<NumberFact>>> {
    const [project, type] = await Promise.all([
      projectOf(args.projectCode, this.data, identity),
      this.data.types.get(args.typeCode),
    ]);
    const after = lastEventId ?? args.after ?? undefined;
    const feed = await openWoken(this.pubSub, issuedChannel(project.id), (notices) =>
      this.numbering.feed({
        space: String(project.id),
        series: type.code,
        dimensions: dimensionsOf(args),
        ...(typeof args.period === 'string' && { period: args.period }),
        ...(after !== undefined && { after }),
        ...notices,
      }),
    );
    return this.readers.batches(feed);
  }
}

function dimensionsOf({ organizationCode, disciplineCode, dimensions }: DocumentNumberFactsArgs) {
  const given = (dimensions ?? []).map(({ token, code }) => [token, code] as const);
  return {
    ...Object.fromEntries(given),
    ...(typeof organizationCode === 'string' && { ORG: organizationCode }),
    ...(typeof disciplineCode === 'string' && { DISCIPLINE: disciplineCode }),
  };
}
