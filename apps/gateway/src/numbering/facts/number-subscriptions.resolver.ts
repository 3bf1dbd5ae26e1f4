import type { NumberFact } from '@solegate/doc-numbering';
import { Args, Resolver, Root, Subscription } from 'type-graphql';
import { Arg } from '../../graphql/described.js';
import type { FactBatch } from '../../graphql/fact-readers.js';
import type { SubscribeCall } from '../../graphql/request-context.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { DocumentNumberFacts, DocumentNumberFactsArgs } from './number-facts.type.js';
import { NumberFactFeed, NumberFeed } from './number-feeds.js';

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
    @Arg(
      'projectCode',
      () => String,
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several.',
      { nullable: true },
    )
    _projectCode?: string,
  ): DocumentNumber {
    return issued;
  }

  @Subscription(() => DocumentNumberFacts, {
    description:
      'What happens to the numbers of a series, each fact once and in order, from any point: after a break, pass the last `cursor` as `after`. A feed has at most 500 counters (FEED_TOO_WIDE), and a person at most 10 feeds at a gateway (TOO_MANY_FEEDS).',
    subscribe: ({ args, context }: SubscribeCall<DocumentNumberFactsArgs>) =>
      context.feeds.get(NumberFactFeed).follow(args, context),
  })
  documentNumberFacts(
    @Root() { facts, cursor }: FactBatch<NumberFact>,
    @Args(() => DocumentNumberFactsArgs) _args: DocumentNumberFactsArgs,
  ): DocumentNumberFacts {
    return {
      cursor,
      facts: facts.map(({ entry, actor, ...fact }) => ({
        ...fact,
        actorId: actor,
        number: DocumentNumber.ofLedger(entry),
      })),
    };
  }
}
