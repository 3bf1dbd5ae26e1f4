import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import { CorrespondenceType } from '../master-data/correspondence-type.js';
import { Discipline } from '../master-data/discipline.js';
import { Organization } from '../master-data/organization.js';
import { Project } from '../master-data/project.js';
import { checkProject, projectOfList } from '../master-data/project-access.js';
import { CorrespondenceFilter, CreateCorrespondenceInput } from './correspondence.inputs.js';
import { Correspondence } from './correspondence.js';
import { type CreateCorrespondenceParts, createCorrespondence } from './create-correspondence.js';

const CorrespondenceConnection = connectionType('Correspondence', Correspondence);

@Resolver(() => Correspondence)
export class CorrespondenceResolver {
  constructor(private readonly parts: CreateCorrespondenceParts) {}

  @Query(() => Correspondence, { nullable: true })
  async correspondence(
    @Arg('id', () => TsidScalar) id: bigint,
    @Ctx() context: RequestContext,
  ): Promise<Correspondence | undefined> {
    const { store, data } = this.parts;
    const document = await store.load(id, context);
    if (document !== undefined) await checkProject(document.projectId, data, context.identity);
    return document;
  }

  @Query(() => CorrespondenceConnection, { description: 'Newest first.' })
  async correspondences(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { identity }: RequestContext,
    @Arg('filter', () => CorrespondenceFilter, { nullable: true }) filter?: CorrespondenceFilter,
  ): Promise<Connection<Correspondence>> {
    const first = readPageSize(page);
    const after = readIdCursor(page);
    const { data, store } = this.parts;
    const project = await projectOfList(filter?.projectCode, data, identity);
    const type = typeof filter?.typeCode === 'string' ? await data.types.get(filter.typeCode) : undefined;
    const rows = await store.list({ projectId: project?.id, typeId: type?.id }, { first, after });
    return idConnection(rows.slice(0, first), page, rows.length > first);
  }

  @Mutation(() => Correspondence, { description: 'The document, its key and its number in one commit.' })
  async createCorrespondence(
    @Arg('input', () => CreateCorrespondenceInput) input: CreateCorrespondenceInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<Correspondence> {
    return createCorrespondence(input, identity, this.parts);
  }

  @FieldResolver(() => Project, { nullable: true })
  async project(
    @Root() { projectId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.parts.data.loaders(context).projects.load(projectId);
  }

  @FieldResolver(() => Organization, { nullable: true })
  async organization(
    @Root() { organizationId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Organization | undefined> {
    return this.parts.data.loaders(context).organizations.load(organizationId);
  }

  @FieldResolver(() => CorrespondenceType, { nullable: true })
  async type(
    @Root() { typeId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<CorrespondenceType | undefined> {
    return this.parts.data.loaders(context).types.load(typeId);
  }

  @FieldResolver(() => Discipline, { nullable: true })
  async discipline(
    @Root() { disciplineId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Discipline | undefined> {
    return this.parts.data.loaders(context).disciplines.load(disciplineId);
  }
}
