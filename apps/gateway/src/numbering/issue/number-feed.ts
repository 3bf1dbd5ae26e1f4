import type { PubSub, PubSubEvent } from '@solegate/redis-infra';
import { listen } from '../../graphql/listen.js';
import { type Events, mapEvents, sharedMap } from '../../graphql/mapped-iterator.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { projectOfList } from '../../master-data/project-access.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { issuedChannel, readNotice } from './issued-feed.js';

/** Numbers as they are issued, each at most once. The ledger is authoritative and has what was missed. */
export class NumberFeed {
  readonly #numbersOf = sharedMap((event: PubSubEvent) =>
    event.kind === 'message' ? readNotice(event.payload) : [],
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
