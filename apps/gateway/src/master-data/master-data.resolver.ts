import { Arg, Args, ArgsType, Ctx, Field, InputType, Mutation, Query, Resolver } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { soleResult } from '../graphql/mutation-result.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import type { CodedCatalog } from './coded-catalog.js';
import type { CodedRow } from './coded-row.js';
import { CorrespondenceType } from './correspondence-type.js';
import { Discipline } from './discipline.js';
import type { MasterData } from './master-data.js';
import { Organization } from './organization.js';
import { Project } from './project.js';
import { findProject, projectOf } from './project-access.js';

@InputType({ description: 'Code and display name of a new entry.' })
export class CodedRowInput {
  @Field(() => String, {
    description:
      'Unique code: 1 to 20 letters, digits, dots or underscores, in one script. It can never be changed.',
  })
  code!: string;

  @Field(() => String, { description: 'Display name, 1 to 200 characters.' })
  name!: string;
}

@ArgsType()
class CodedPageArgs extends PageArgs {
  @Field(() => String, {
    defaultValue: '',
    description: 'Only rows whose codes begin with this, in any case.',
  })
  codeStart!: string;
}

@InputType({ description: 'An entry, and its new display name.' })
export class RenameInput {
  @Field(() => String, { description: 'Code of the entry.' })
  code!: string;

  @Field(() => String, {
    description:
      'Display name, 1 to 200 characters. Other gateways show the previous one for up to a minute.',
  })
  name!: string;
}

const ProjectConnection = connectionType('Project', Project);
const OrganizationConnection = connectionType('Organization', Organization);
const CorrespondenceTypeConnection = connectionType('CorrespondenceType', CorrespondenceType);
const DisciplineConnection = connectionType('Discipline', Discipline);

const CreateProjectResult = soleResult('CreateProjectResult', 'The new project.', Project);
const RenameProjectResult = soleResult('RenameProjectResult', 'The renamed project.', Project);
const CreateOrganizationResult = soleResult(
  'CreateOrganizationResult',
  'The new organization.',
  Organization,
);
const RenameOrganizationResult = soleResult(
  'RenameOrganizationResult',
  'The renamed organization.',
  Organization,
);
const CreateCorrespondenceTypeResult = soleResult(
  'CreateCorrespondenceTypeResult',
  'The new document type.',
  CorrespondenceType,
);
const RenameCorrespondenceTypeResult = soleResult(
  'RenameCorrespondenceTypeResult',
  'The renamed document type.',
  CorrespondenceType,
);
const CreateDisciplineResult = soleResult('CreateDisciplineResult', 'The new discipline.', Discipline);
const RenameDisciplineResult = soleResult('RenameDisciplineResult', 'The renamed discipline.', Discipline);

@Resolver()
export class MasterDataResolver {
  constructor(private readonly data: MasterData) {}

  @Query(() => ProjectConnection, { description: 'Lists the projects the caller can access, newest first.' })
  async projects(
    @Args(() => CodedPageArgs) page: CodedPageArgs,
    @Ctx() { identity }: RequestContext,
  ): Promise<Connection<Project>> {
    const { projects } = identity;
    if (projects === 'ALL') return pageOf(this.data.projects, page);
    const first = readPageSize(page);
    const after = readIdCursor(page);
    const own = (await this.data.projects.findByCodes([...projects]))
      .filter((project) => project !== undefined)
      .filter(({ id }) => after === undefined || id < after)
      .filter(({ code }) => code.toLowerCase().startsWith(page.codeStart.toLowerCase()))
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return idConnection(own.slice(0, first), page, own.length > first);
  }

  @Query(() => Project, { nullable: true, description: 'Returns one project, or null if there is none.' })
  async project(
    @Arg('code', () => String, { description: 'Code of the project.' }) code: string,
    @Ctx() { identity }: RequestContext,
  ): Promise<Project | undefined> {
    return findProject(code, this.data, identity);
  }

  @Query(() => OrganizationConnection, { description: 'Lists organizations, newest first.' })
  async organizations(@Args(() => CodedPageArgs) page: CodedPageArgs): Promise<Connection<Organization>> {
    return pageOf(this.data.organizations, page);
  }

  @Query(() => CorrespondenceTypeConnection, { description: 'Lists document types, newest first.' })
  async correspondenceTypes(
    @Args(() => CodedPageArgs) page: CodedPageArgs,
  ): Promise<Connection<CorrespondenceType>> {
    return pageOf(this.data.types, page);
  }

  @Query(() => DisciplineConnection, { description: 'Lists disciplines, newest first.' })
  async disciplines(@Args(() => CodedPageArgs) page: CodedPageArgs): Promise<Connection<Discipline>> {
    return pageOf(this.data.disciplines, page);
  }

  @Mutation(() => CreateProjectResult, { description: 'Creates a project, which is a number space.' })
  async createProject(
    @Arg('input', () => CodedRowInput, { description: 'Code and display name.' }) input: CodedRowInput,
  ): Promise<Project> {
    return this.data.projects.create(input);
  }

  @Mutation(() => CreateOrganizationResult, { description: 'Creates an organization.' })
  async createOrganization(
    @Arg('input', () => CodedRowInput, { description: 'Code and display name.' }) input: CodedRowInput,
  ): Promise<Organization> {
    return this.data.organizations.create(input);
  }

  @Mutation(() => CreateCorrespondenceTypeResult, { description: 'Creates a document type.' })
  async createCorrespondenceType(
    @Arg('input', () => CodedRowInput, { description: 'Code and display name.' }) input: CodedRowInput,
  ): Promise<CorrespondenceType> {
    return this.data.types.create(input);
  }

  @Mutation(() => CreateDisciplineResult, { description: 'Creates a discipline.' })
  async createDiscipline(
    @Arg('input', () => CodedRowInput, { description: 'Code and display name.' }) input: CodedRowInput,
  ): Promise<Discipline> {
    return this.data.disciplines.create(input);
  }

  @Mutation(() => RenameProjectResult, { description: 'Changes the display name of a project.' })
  async renameProject(
    @Arg('input', () => RenameInput, { description: 'Code and display name.' }) input: RenameInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<Project> {
    await projectOf(input.code, this.data, identity);
    return this.data.projects.rename(input);
  }

  @Mutation(() => RenameOrganizationResult, { description: 'Changes the display name of an organization.' })
  async renameOrganization(
    @Arg('input', () => RenameInput, { description: 'Code and display name.' }) input: RenameInput,
  ): Promise<Organization> {
    return this.data.organizations.rename(input);
  }

  @Mutation(() => RenameCorrespondenceTypeResult, {
    description: 'Changes the display name of a document type.',
  })
  async renameCorrespondenceType(
    @Arg('input', () => RenameInput, { description: 'Code and display name.' }) input: RenameInput,
  ): Promise<CorrespondenceType> {
    return this.data.types.rename(input);
  }

  @Mutation(() => RenameDisciplineResult, { description: 'Changes the display name of a discipline.' })
  async renameDiscipline(
    @Arg('input', () => RenameInput, { description: 'Code and display name.' }) input: RenameInput,
  ): Promise<Discipline> {
    return this.data.disciplines.rename(input);
  }
}

async function pageOf<Row extends CodedRow>(
  catalog: CodedCatalog<Row>,
  page: CodedPageArgs,
): Promise<Connection<Row>> {
  const first = readPageSize(page);
  const rows = await catalog.list({ first, after: readIdCursor(page), start: page.codeStart });
  return idConnection(rows.slice(0, first), page, rows.length > first);
}
