import type { LedgerEntry, Numbering } from '@solegate/doc-numbering';
import { Args, Ctx, Int, Resolver } from 'type-graphql';
import { badInput } from '../../errors/gateway-error.js';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { Arg, Query } from '../../graphql/described.js';
import { Fields, field, InputType, ObjectType, optional } from '../../graphql/fields.js';
import { given } from '../../graphql/given.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/people.js';
import { isOfCaller, projectOf } from '../../master-data/project-access.js';
import { defineProject } from '../../master-data/resolver-methods.js';
import { DocumentNumber } from './document-number.type.js';
import { DocumentNumberBy, DocumentNumberFilter, numberConditions } from './ledger.inputs.js';
import { defineLedgerFields, type LedgerEntries } from './ledger-entries.js';
import { ledgerFilterOf, ownSpaces } from './ledger-filter.js';

const PAGE_SIZE_MAX = 100;
const PEOPLE_MAX = 10;

@InputType('What a person remembers of a number, and other conditions, combined with AND.')
class DocumentNumberSearchInput extends Fields({
  ...numberConditions,
  text: field(
    String,
    'The beginning of the number, in any case, or its sequence, or the ID of its document: 1 to 100 characters.',
  ),
  projectCode: optional(String, 'Code of one project. Default: every project the caller can access.'),
}) {}

@ObjectType('Numbers found by a search, and people whom its text names.')
class DocumentNumberSearchResult extends Fields({
  numbers: field([DocumentNumber], 'The page of numbers, newest first.'),
  total: field(Int, 'How many of the first 1,000 numbers with this text meet the other conditions.'),
  isMore: field(
    Boolean,
    'Whether more than 1,000 numbers have this text: of these, the last in their order were looked at.',
  ),
  people: field(
    [Person],
    `For administrators, up to ${PEOPLE_MAX} people whose names begin with the text; else empty, since riders are among them.`,
  ),
}) {}

const DocumentNumberConnection = connectionType('DocumentNumber', DocumentNumber);

/** Reads the ledger: single numbers, pages, searches, and what a number refers to. */
@Resolver(() => DocumentNumber)
export class LedgerResolver {
  constructor(
    private readonly numbering: Numbering,
    readonly data: MasterData,
    readonly entries: LedgerEntries,
  ) {}

  @Query(
    () => DocumentNumber,
    'Returns one number and its current status, or null if there is none that the caller can access.',
    { nullable: true },
  )
  async documentNumber(
    @Arg('by', () => DocumentNumberBy, 'The number.') by: DocumentNumberBy,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber | undefined> {
    const entry = await this.#find(identity, by);
    return entry && DocumentNumber.ofLedger(entry);
  }

  @Query(
    () => DocumentNumberConnection,
    'Lists the numbers in the ledger. A page looks at 2,500 numbers at most for its actor or dates, so it can be short, even empty, while `hasNextPage` is true.',
  )
  async documentNumbers(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberFilter, 'Which numbers to list. Default: all.', { nullable: true })
    filter?: DocumentNumberFilter,
  ): Promise<Connection<DocumentNumber>> {
    const request = readPage(page);
    const wanted = await ledgerFilterOf(filter ?? {}, this.data, identity);
    return pageOf(await this.numbering.listNumbers(wanted, request), page, DocumentNumber.ofLedger);
  }

  @Query(
    () => DocumentNumberSearchResult,
    'Finds numbers by their beginning, sequence or document, and people by their name.',
  )
  async searchDocumentNumbers(
    @Arg('search', () => DocumentNumberSearchInput, 'What to search for.')
    { text, projectCode, ...conditions }: DocumentNumberSearchInput,
    @Arg('first', () => Int, `Page size, 1 to ${PAGE_SIZE_MAX}.`, { defaultValue: 20 }) first: number,
    @Arg('skip', () => Int, 'Numbers to skip, 0 to 1,000.', { defaultValue: 0 }) skip: number,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberSearchResult> {
    if (first < 1 || first > PAGE_SIZE_MAX) {
      throw badInput('PAGE_SIZE', `"first" must be 1 to ${PAGE_SIZE_MAX}; read the next page with "skip".`);
    }
    const scope =
      typeof projectCode === 'string'
        ? { spaces: [String((await projectOf(projectCode, this.data, identity)).id)] }
        : await ownSpaces(this.data, identity);
    const { actorId: actor, ...others } = conditions;
    const [found, people] = await Promise.all([
      this.numbering.searchNumbers({ ...given({ ...others, actor }), ...scope, text, first, skip }),
      identity.roles.has('admin') ? this.data.people.findByName(text, PEOPLE_MAX) : [],
    ]);
    return { ...found, numbers: found.entries.map(DocumentNumber.ofLedger), people };
  }

  async #find(identity: Identity, { id, number }: DocumentNumberBy): Promise<LedgerEntry | undefined> {
    if (typeof id === 'bigint') {
      const entry = await this.numbering.findNumber({ id });
      const isVisible = entry && (await isOfCaller(BigInt(entry.space), this.data, identity));
      return isVisible ? entry : undefined;
    }
    if (!number) return undefined;
    const project = await projectOf(number.projectCode, this.data, identity);
    return this.numbering.findNumber({ space: String(project.id), number: number.number });
  }
}

defineLedgerFields(LedgerResolver.prototype);

defineProject(LedgerResolver.prototype, ({ projectId }: DocumentNumber) => projectId);
