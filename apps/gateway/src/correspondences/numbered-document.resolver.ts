import { Ctx, Resolver, Root } from 'type-graphql';
import { FieldResolver } from '../graphql/described.js';
import { RequestContext } from '../graphql/request-context.js';
import { DocumentNumber } from '../numbering/ledger/document-number.type.js';
import type { LedgerEntries } from '../numbering/ledger/ledger-entries.js';
import { Correspondence } from './correspondence.js';
import type { CorrespondenceStore } from './correspondence-store.js';

/** What another application calls a document of its own need not be an ID. */
const ID = /^[0-9]{1,19}$/;

/** Resolves the document of a number; numbering itself does not know documents. */
@Resolver(() => DocumentNumber)
export class NumberedDocumentResolver {
  constructor(
    private readonly store: CorrespondenceStore,
    private readonly entries: LedgerEntries,
  ) {}

  @FieldResolver(() => Correspondence, 'The document that has this number, if any.', { nullable: true })
  async correspondence(
    @Root() number: DocumentNumber,
    @Ctx() context: RequestContext,
  ): Promise<Correspondence | undefined> {
    const { document = '' } = (await this.entries.of(number, context)) ?? {};
    return ID.test(document) ? this.store.load(BigInt(document), context) : undefined;
  }
}
