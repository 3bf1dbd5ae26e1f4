import type { PubSub } from '@solegate/redis-infra';
import { listen } from '../../graphql/listen.js';
import { type Events, mapEvents } from '../../graphql/mapped-iterator.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { checkProject, projectOfList } from '../../master-data/project-access.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { issuedChannel, readNotice } from './issued-feed.js';

/** Numbers as they are issued, each at most once. The ledger is authoritative and has what was missed. */
export class NumberFeed {
  constructor(
    private readonly pubSub: PubSub,
    private readonly data: MasterData,
  ) {}

  /**
   * @param projectId undefined: every project, for callers who can access them all
   * @throws {GatewayError} NOT_YOUR_PROJECT, PROJECT_NEEDED
   */
  async issued(projectId: bigint | undefined, identity: Identity): Promise<Events<DocumentNumber>> {
    if (projectId !== undefined) await checkProject(projectId, this.data, identity);
    const id = projectId ?? (await projectOfList(undefined, this.data, identity))?.id;
    const subscription = await listen(this.pubSub, issuedChannel(id));
    return mapEvents(subscription, (event) => (event.kind === 'message' ? readNotice(event.payload) : []));
  }
}
