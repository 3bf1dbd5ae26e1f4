import { TsidScalar } from '@solegate/tsid-core/graphql';
import {
  Arg,
  Args,
  Ctx,
  createUnionType,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import { CorrespondenceType } from '../master-data/correspondence-type.js';
import { Discipline } from '../master-data/discipline.js';
import { Organization } from '../master-data/organization.js';
import { Project } from '../master-data/project.js';
import { checkProject, projectOfList } from '../master-data/project-access.js';
import { orRefusal, REFUSALS } from '../numbering/issue/issue-refusals.type.js';
import { CorrespondenceFilter, CreateCorrespondenceInput } from './correspondence.inputs.js';
import { Correspondence } from './correspondence.js';
import { type CreateCorrespondenceParts, createCorrespondence } from './create-correspondence.js';

const CreateCorrespondenceResult = createUnionType({
  name: 'CreateCorrespondenceResult',
  description: 'The document, or why there is no number for it.',
  types: () => [Correspondence, ...REFUSALS] as const,
});

const CorrespondenceConnection = connectionType('Correspondence', Correspondence);

@Resolver(() => Correspondence)
export class CorrespondenceResolver {
  constructor(private readonly parts: CreateCorrespondenceParts) {}

  @Query(() => Correspondence, { description: 'One document.', nullable: true })
  async correspondence(
    @Arg('id', () => TsidScalar, { description: 'The document.' }) id: bigint,
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
    @Arg('filter', () => CorrespondenceFilter, { description: 'Which documents.', nullable: true })
    filter?: CorrespondenceFilter,
  ): Promise<Connection<Correspondence>> {
    const first = readPageSize(page);
    const after = readIdCursor(page);
    const { data, store } = this.parts;
    const project = await projectOfList(filter?.projectCode, data, identity);
    const type = typeof filter?.typeCode === 'string' ? await data.types.get(filter.typeCode) : undefined;
    const rows = await store.list({ projectId: project?.id, typeId: type?.id }, { first, after });
    return idConnection(rows.slice(0, first), page, rows.length > first);
  }

  @Mutation(() => CreateCorrespondenceResult, {
    description: 'The document, its key and its number in one commit.',
  })
  async createCorrespondence(
    @Arg('input', () => CreateCorrespondenceInput, {
      description: 'What it says, and the series of its number.',
    })
    input: CreateCorrespondenceInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CreateCorrespondenceResult> {
    return orRefusal(createCorrespondence(input, identity, this.parts));
  }

  @FieldResolver(() => Project, { description: 'The project that it belongs to.', nullable: true })
  async project(
    @Root() { projectId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Project | undefined> {
    return this.parts.data.loaders(context).projects.load(projectId);
  }

  @FieldResolver(() => Organization, { description: 'Who it comes from.', nullable: true })
  async organization(
    @Root() { organizationId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Organization | undefined> {
    return this.parts.data.loaders(context).organizations.load(organizationId);
  }

  @FieldResolver(() => CorrespondenceType, { description: 'What kind of document it is.', nullable: true })
  async type(
    @Root() { typeId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<CorrespondenceType | undefined> {
    return this.parts.data.loaders(context).types.load(typeId);
  }

  @FieldResolver(() => Discipline, { description: 'The discipline that it belongs to.', nullable: true })
  async discipline(
    @Root() { disciplineId }: Correspondence,
    @Ctx() context: RequestContext,
  ): Promise<Discipline | undefined> {
    return this.parts.data.loaders(context).disciplines.load(disciplineId);
  }
}
