import type { NumberFact, Numbering } from '@solegate/doc-numbering';
import type { PubSub, PubSubEvent } from '@solegate/redis-infra';
import { type Events, mapEvents, sharedMap } from '../../graphql/events.js';
import { type FactBatch, type FactReaders, openWoken } from '../../graphql/fact-readers.js';
import { given } from '../../graphql/given.js';
import { listen } from '../../graphql/listen.js';
import type { RequestContext } from '../../graphql/request-context.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOf, projectOfList } from '../../master-data/project-access.js';
import { issuedChannel, readNotice } from '../issue/issued-feed.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import type { DocumentNumberFactsArgs } from './number-facts.type.js';

/** Numbers as they are issued, each at most once. The ledger is authoritative and has what was missed. */
export class NumberFeed {
  readonly #numbersOf = sharedMap((event: PubSubEvent) =>
    event.kind === 'MESSAGE' ? readNotice(event.payload) : [],
  );

  constructor(
    private readonly pubSub: PubSub,
    private readonly data: MasterData,
  ) {}

  /**
   * @param projectCode if absent: every project, for callers who can access them all
   * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, PROJECT_NEEDED
   */
  async issued(projectCode: string | null | undefined, identity: Identity): Promise<Events<DocumentNumber>> {
    const project = await projectOfList(projectCode, this.data, identity);
    const subscription = await listen(this.pubSub, issuedChannel(project?.id));
    return mapEvents(subscription, this.#numbersOf);
  }
}

/** Facts about numbers, from the ledger; what gateways publish about issued numbers only ends the wait for them. */
export class NumberFactFeed {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly pubSub: PubSub,
    private readonly readers: FactReaders,
  ) {}

  /** @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, TOO_MANY_FEEDS; NumberingError */
  async follow(
    args: DocumentNumberFactsArgs,
    { identity, lastEventId }: RequestContext,
  ): Promise<Events<FactBatch<NumberFact>>> {
    const [project, type] = await Promise.all([
      projectOf(args.projectCode, this.data, identity),
      this.data.types.get(args.typeCode),
    ]);
    return this.readers.batches(identity, () =>
      openWoken(this.pubSub, issuedChannel(project.id), (notices) =>
        this.numbering.feed({
          space: String(project.id),
          series: type.code,
          dimensions: dimensionsOf(args),
          ...given({ period: args.period, after: lastEventId ?? args.after }),
          ...notices,
        }),
      ),
    );
  }
}

function dimensionsOf({ organizationCode, disciplineCode, dimensions }: DocumentNumberFactsArgs) {
  return {
    ...Object.fromEntries((dimensions ?? []).map(({ token, code }) => [token, code])),
    ...given({ ORG: organizationCode, DISCIPLINE: disciplineCode }),
  };
}
