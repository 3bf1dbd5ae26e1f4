import { Args, Ctx, Resolver } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { Arg, Query } from '../graphql/described.js';
import { ArgsType, Fields, field, InputType } from '../graphql/fields.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import { RequestContext } from '../graphql/request-context.js';
import { SoleMutation } from '../graphql/results.js';
import type { CodedCatalog } from './coded-catalog.js';
import { type CodedRow, CorrespondenceType, Discipline, Organization, Project } from './coded-row.js';
import type { MasterData } from './master-data.js';
import { findProject, projectOf } from './project-access.js';

@InputType('Code and display name of a new entry.')
export class CodedRowInput extends Fields({
  code: field(
    String,
    'Unique code: 1 to 20 letters, digits, dots or underscores, in one script. It can never be changed.',
  ),
  name: field(String, 'Display name, 1 to 200 characters.'),
}) {}

@ArgsType()
class CodedPageArgs extends Fields(PageArgs, {
  codeStart: field(String, 'Only rows whose codes begin with this, in any case.', { defaultValue: '' }),
}) {}

@InputType('An entry, and its new display name.')
export class RenameInput extends Fields({
  code: field(String, 'Code of the entry.'),
  name: field(
    String,
    'Display name, 1 to 200 characters. Other gateways show the previous one for up to a minute.',
  ),
}) {}

const ProjectConnection = connectionType('Project', Project);
const OrganizationConnection = connectionType('Organization', Organization);
const CorrespondenceTypeConnection = connectionType('CorrespondenceType', CorrespondenceType);
const DisciplineConnection = connectionType('Discipline', Discipline);

@Resolver()
export class MasterDataResolver {
  constructor(private readonly data: MasterData) {}

  @Query(() => ProjectConnection, 'Lists the projects the caller can access, newest first.')
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

  @Query(() => Project, 'Returns one project, or null if there is none.', { nullable: true })
  async project(
    @Arg('code', () => String, 'Code of the project.') code: string,
    @Ctx() { identity }: RequestContext,
  ): Promise<Project | undefined> {
    return findProject(code, this.data, identity);
  }

  @Query(() => OrganizationConnection, 'Lists organizations, newest first.')
  async organizations(@Args(() => CodedPageArgs) page: CodedPageArgs): Promise<Connection<Organization>> {
    return pageOf(this.data.organizations, page);
  }

  @Query(() => CorrespondenceTypeConnection, 'Lists document types, newest first.')
  async correspondenceTypes(
    @Args(() => CodedPageArgs) page: CodedPageArgs,
  ): Promise<Connection<CorrespondenceType>> {
    return pageOf(this.data.types, page);
  }

  @Query(() => DisciplineConnection, 'Lists disciplines, newest first.')
  async disciplines(@Args(() => CodedPageArgs) page: CodedPageArgs): Promise<Connection<Discipline>> {
    return pageOf(this.data.disciplines, page);
  }

  @SoleMutation(() => Project, 'Creates a project, which is a number space.', 'The new project.')
  async createProject(
    @Arg('input', () => CodedRowInput, 'Code and display name.') input: CodedRowInput,
  ): Promise<Project> {
    return this.data.projects.create(input);
  }

  @SoleMutation(() => Organization, 'Creates an organization.', 'The new organization.')
  async createOrganization(
    @Arg('input', () => CodedRowInput, 'Code and display name.') input: CodedRowInput,
  ): Promise<Organization> {
    return this.data.organizations.create(input);
  }

  @SoleMutation(() => CorrespondenceType, 'Creates a document type.', 'The new document type.')
  async createCorrespondenceType(
    @Arg('input', () => CodedRowInput, 'Code and display name.') input: CodedRowInput,
  ): Promise<CorrespondenceType> {
    return this.data.types.create(input);
  }

  @SoleMutation(() => Discipline, 'Creates a discipline.', 'The new discipline.')
  async createDiscipline(
    @Arg('input', () => CodedRowInput, 'Code and display name.') input: CodedRowInput,
  ): Promise<Discipline> {
    return this.data.disciplines.create(input);
  }

  @SoleMutation(() => Project, 'Changes the display name of a project.', 'The renamed project.')
  async renameProject(
    @Arg('input', () => RenameInput, 'Code and display name.') input: RenameInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<Project> {
    await projectOf(input.code, this.data, identity);
    return this.data.projects.rename(input);
  }

  @SoleMutation(
    () => Organization,
    'Changes the display name of an organization.',
    'The renamed organization.',
  )
  async renameOrganization(
    @Arg('input', () => RenameInput, 'Code and display name.') input: RenameInput,
  ): Promise<Organization> {
    return this.data.organizations.rename(input);
  }

  @SoleMutation(
    () => CorrespondenceType,
    'Changes the display name of a document type.',
    'The renamed document type.',
  )
  async renameCorrespondenceType(
    @Arg('input', () => RenameInput, 'Code and display name.') input: RenameInput,
  ): Promise<CorrespondenceType> {
    return this.data.types.rename(input);
  }

  @SoleMutation(() => Discipline, 'Changes the display name of a discipline.', 'The renamed discipline.')
  async renameDiscipline(
    @Arg('input', () => RenameInput, 'Code and display name.') input: RenameInput,
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
