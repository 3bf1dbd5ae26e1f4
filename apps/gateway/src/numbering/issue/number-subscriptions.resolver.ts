import { Arg, Resolver, Root, Subscription } from 'type-graphql';
import type { SubscribeCall } from '../../graphql/request-context.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { NumberFeed } from './number-feed.js';

@Resolver()
export class NumberSubscriptionsResolver {
  @Subscription(() => DocumentNumber, {
    description:
      'Numbers as they are issued, each at most once. Read missed ones from the ledger with `documentNumbers`.',
    subscribe: ({ args, context }: SubscribeCall<{ projectCode?: string | null }>) =>
      context.feeds.get(NumberFeed).issued(args.projectCode, context.identity),
  })
  documentNumberIssued(
    @Root() issued: DocumentNumber,
    @Arg('projectCode', () => String, {
      description:
        'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several.',
      nullable: true,
    })
    _projectCode?: string,
  ): DocumentNumber {
    return issued;
  }
}
