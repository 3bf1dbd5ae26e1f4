import type { PubSub } from '@solegate/redis-infra';
import { type Events, mapEvents } from '../graphql/mapped-iterator.js';
import { DocumentNumber } from './document-number.type.js';
import { issuedChannel, readNotice } from './issued-feed.js';

/** Numbers as they are issued: at most once each. The ledger is the truth, and tells what was missed. */
export class NumberFeed {
  constructor(private readonly pubSub: PubSub) {}

  /** @param projectId undefined: of every project */
  async issued(projectId: bigint | undefined): Promise<Events<DocumentNumber>> {
    const subscription = await this.pubSub.subscribe(issuedChannel(projectId));
    return mapEvents(subscription, (event) => (event.kind === 'message' ? readNotice(event.payload) : []));
  }
}
