import type { LedgerEntry, LedgerFilter, Numbering } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Correspondence } from '../correspondences/correspondence.js';
import { badInput } from '../errors/gateway-error.js';
import { RequestContext } from '../http/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { Person } from '../master-data/person.js';
import { Project } from '../master-data/project.js';
import { type Connection, connectionType } from '../paging/connection.type.js';
import { connectionOf, PageArgs, readCursor, readPageSize } from '../paging/page.args.js';
import { DocumentNumber } from './document-number.type.js';
import { DocumentNumberFilter } from './ledger.inputs.js';

const DocumentNumberConnection = connectionType('DocumentNumber', DocumentNumber);

/** The ledger, read: single numbers, pages, and what a number refers to. */
@Resolver(() => DocumentNumber)
export class LedgerResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
  ) {}

  @Query(() => DocumentNumber, {
    nullable: true,
    description: 'By its ID, or by its text together with the project.',
  })
  async documentNumber(
    @Arg('id', () => TsidScalar, { nullable: true }) id?: bigint,
    @Arg('number', () => String, { nullable: true }) number?: string,
    @Arg('projectCode', () => String, { nullable: true }) projectCode?: string,
  ): Promise<DocumentNumber | undefined> {
    const entry = await this.#find(id, number, projectCode);
    return entry && DocumentNumber.ofLedger(entry);
  }

  @Query(() => DocumentNumberConnection, { description: 'A page of the ledger.' })
  async documentNumbers(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => DocumentNumberFilter, { nullable: true }) filter?: DocumentNumberFilter,
  ): Promise<Connection<DocumentNumber>> {
    const first = readPageSize(page);
    const after = readCursor(page);
    const found = await this.numbering.listNumbers(await this.#filterOf(filter ?? {}), {
      first,
      ...(after !== undefined && { after }),
    });
    const edges = found.items.map(({ item, cursor }) => ({ node: DocumentNumber.ofLedger(item), cursor }));
    return connectionOf(edges, page, found.hasNextPage);
  }

  @FieldResolver(() => Project, { nullable: true })
  async project(
    @Root() { projectId }: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<Project | undefined> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => Correspondence, { nullable: true, description: 'The document that has the number.' })
  async correspondence(
    @Root() number: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<Correspondence | undefined> {
    const document = (await entryOf(number, loaders))?.document;
    return document === undefined ? undefined : loaders.correspondences.load(BigInt(document));
  }

  @FieldResolver(() => Person, { nullable: true, description: 'Who took it.' })
  async actor(
    @Root() number: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<Person | undefined> {
    const actor = (await entryOf(number, loaders))?.actor;
    return actor === undefined || !/^[0-9]+$/.test(actor) ? undefined : loaders.people.load(BigInt(actor));
  }

  @FieldResolver(() => String, { nullable: true })
  async reason(
    @Root() number: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<string | undefined> {
    return (await entryOf(number, loaders))?.reason;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The number that took the place of a void one.',
  })
  async replacedBy(
    @Root() number: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<string | undefined> {
    return (await entryOf(number, loaders))?.replacedBy;
  }

  @FieldResolver(() => GraphQLDateTimeISO, { nullable: true, description: 'By the clock of PostgreSQL.' })
  async issuedAt(
    @Root() number: DocumentNumber,
    @Ctx() { loaders }: RequestContext,
  ): Promise<Date | undefined> {
    return (await entryOf(number, loaders))?.issuedAt;
  }

  async #find(id?: bigint, number?: string, projectCode?: string): Promise<LedgerEntry | undefined> {
    if (typeof id === 'bigint') return this.numbering.findNumber({ id });
    if (typeof number !== 'string' || typeof projectCode !== 'string') {
      throw badInput('NUMBER_REFERENCE', 'Give "id", or "number" together with "projectCode".');
    }
    const project = await this.data.projects.get(projectCode);
    return this.numbering.findNumber({ space: String(project.id), number });
  }

  async #filterOf(filter: DocumentNumberFilter): Promise<LedgerFilter> {
    const project = filter.projectCode ? await this.data.projects.get(filter.projectCode) : undefined;
    return {
      ...(project && { space: String(project.id) }),
      ...(filter.typeCode && { series: filter.typeCode }),
      ...(filter.status && { status: filter.status }),
      ...(filter.period && { period: filter.period }),
      ...(filter.dateFrom && { dateFrom: filter.dateFrom }),
      ...(filter.dateTo && { dateTo: filter.dateTo }),
      dimensions: {
        ...(filter.organizationCode && { ORG: filter.organizationCode }),
        ...(filter.disciplineCode && { DISCIPLINE: filter.disciplineCode }),
      },
    };
  }
}

function entryOf(
  number: DocumentNumber,
  loaders: RequestContext['loaders'],
): Promise<LedgerEntry | undefined> {
  return number.entry ? Promise.resolve(number.entry) : loaders.ledger.load(number);
}
