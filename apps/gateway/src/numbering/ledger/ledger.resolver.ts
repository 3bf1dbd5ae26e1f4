import type { LedgerEntry, Numbering } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../../graphql/connection.type.js';
import { PageArgs, pageOf, readPage } from '../../graphql/page.args.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/person.js';
import { Project } from '../../master-data/project.js';
import { isOfCaller, projectOf } from '../../master-data/project-access.js';
import { DocumentNumber, DocumentNumberSeal } from './document-number.type.js';
import { DocumentNumberBy, DocumentNumberFilter } from './ledger.inputs.js';
import type { LedgerEntries } from './ledger-entries.js';
import { defineLedgerFields } from './ledger-fields.js';
import { ledgerFilterOf } from './ledger-filter.js';

const DocumentNumberConnection = connectionType('DocumentNumber', DocumentNumber);

/** Reads the ledger: single numbers, pages, and what a number refers to. */
@Resolver(() => DocumentNumber)
export class LedgerResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    readonly entries: LedgerEntries,
  ) {}

  @Query(() => DocumentNumber, {
    nullable: true,
    description:
      'Returns one number and its current status, or null if there is none that the caller can access.',
  })
  async documentNumber(
    @Arg('by', () => DocumentNumberBy, { description: 'The number.' }) by: DocumentNumberBy,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber | undefined> {
    const entry = await this.#find(identity, by);
    return entry && DocumentNumber.ofLedger(entry);
  }

  @Query(() => DocumentNumberConnection, {
    description:
      'Lists the numbers in the ledger. A page looks at 2,500 numbers at most for its actor or dates, so it can be short, even empty, while `hasNextPage` is true.',
  })
  async documentNumbers(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => DocumentNumberFilter, {
      description: 'Which numbers to list. Default: all.',
      nullable: true,
    })
    filter?: DocumentNumberFilter,
  ): Promise<Connection<DocumentNumber>> {
    const request = readPage(page);
    const wanted = await ledgerFilterOf(filter ?? {}, this.data, identity);
    return pageOf(await this.numbering.listNumbers(wanted, request), page, DocumentNumber.ofLedger);
  }

  @FieldResolver(() => Project, { description: 'The project it belongs to.', nullable: true })
  async project(
    @Root() { projectId }: DocumentNumber,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.data.loaders(context).projects.load(projectId);
  }

  @FieldResolver(() => Person, {
    nullable: true,
    description: 'The person who took it; null if the actor is not a known person.',
  })
  async actor(@Root() number: DocumentNumber, @Ctx() context: RequestContext): Promise<Person | undefined> {
    return this.data.loaders(context).personOf((await this.entries.of(number, context))?.actor);
  }

  @FieldResolver(() => Person, {
    nullable: true,
    description: 'The person who took it out of use; null if it is not void.',
  })
  async voidedBy(
    @Root() number: DocumentNumber,
    @Ctx() context: RequestContext,
  ): Promise<Person | undefined> {
    return this.data.loaders(context).personOf((await this.entries.of(number, context))?.voidedBy);
  }

  @FieldResolver(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When a reserved number is cancelled automatically, unless confirmed; otherwise null.',
  })
  async expiresAt(@Root() number: DocumentNumber, @Ctx() context: RequestContext): Promise<Date | undefined> {
    const entry = await this.entries.of(number, context);
    return entry?.status === 'reserved' ? entry.expiresAt : undefined;
  }

  @FieldResolver(() => DocumentNumberSeal, {
    nullable: true,
    description: 'Its place in a chain of sealed documents; null if it was issued without one.',
  })
  async seal(
    @Root() number: DocumentNumber,
    @Ctx() context: RequestContext,
  ): Promise<DocumentNumberSeal | undefined> {
    return this.entries.sealOf(number, context);
  }

  async #find(identity: Identity, { id, number }: DocumentNumberBy): Promise<LedgerEntry | undefined> {
    if (typeof id === 'bigint') {
      const entry = await this.numbering.findNumber({ id });
      const isVisible = entry && (await isOfCaller(BigInt(entry.space), this.data, identity));
      return isVisible ? entry : undefined;
    }
    if (number === undefined) return undefined;
    const project = await projectOf(number.projectCode, this.data, identity);
    return this.numbering.findNumber({ space: String(project.id), number: number.number });
  }
}

defineLedgerFields(LedgerResolver.prototype);
