import type { NumberFact } from '@solegate/doc-numbering';
import { Args, Resolver, Root, Subscription } from 'type-graphql';
import type { FactBatch } from '../../graphql/fact-readers.js';
import type { SubscribeCall } from '../../graphql/request-context.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { NumberFactFeed } from './number-fact-feed.js';
import { DocumentNumberFacts, DocumentNumberFactsArgs } from './number-facts.type.js';

@Resolver()
export class NumberFactsResolver {
  @Subscription(() => DocumentNumberFacts, {
    description:
      'What happens to the numbers of a series, each fact once and in order, from any point: after a break, pass the last `cursor` as `after`. A feed has at most 500 counters (FEED_TOO_WIDE).',
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
