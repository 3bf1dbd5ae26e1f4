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
import { defineMethod } from './resolver-methods.js';

@InputType('Code and display name of a new entry.')
class CodedRowInput extends Fields({
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
class RenameInput extends Fields({
  code: field(String, 'Code of the entry.'),
  name: field(
    String,
    'Display name, 1 to 200 characters. Other gateways show the previous one for up to a minute.',
  ),
}) {}

const ProjectConnection = connectionType('Project', Project);

/** The catalogs of which each has a list, a mutation that creates an entry, and one that renames it. */
const CATALOGS = {
  projects: [Project, 'project'],
  organizations: [Organization, 'organization'],
  types: [CorrespondenceType, 'document type'],
  disciplines: [Discipline, 'discipline'],
} as const;

@Resolver()
export class MasterDataResolver {
  constructor(readonly data: MasterData) {}

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
      .filter(({ id }) => after === undefined || id < after)
      .filter(({ code }) => code.toLowerCase().startsWith(page.codeStart.toLowerCase()))
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return idConnection(await this.#asNamedNow(own.slice(0, first)), page, own.length > first);
  }

  @Query(() => Project, 'Returns one project, or null if there is none.', { nullable: true })
  async project(
    @Arg('code', () => String, 'Code of the project.') code: string,
    @Ctx() { identity }: RequestContext,
  ): Promise<Project | undefined> {
    const found = await findProject(code, this.data, identity);
    return found && (await this.#asNamedNow([found]))[0];
  }

  /** What is found by code can have been read long ago. */
  async #asNamedNow(found: readonly Project[]): Promise<Project[]> {
    const rows = await this.data.projects.findByIds(found.map(({ id }) => id));
    return rows.filter((row) => row !== undefined);
  }
}

const { prototype } = MasterDataResolver;
for (const [key, [type, noun]] of Object.entries(CATALOGS)) {
  const catalog = key as keyof typeof CATALOGS;
  const { name } = type;
  const article = noun.startsWith('o') ? 'an' : 'a';
  const isProject = type === Project;
  defineMethod(
    prototype,
    `create${name}`,
    function create(input: CodedRowInput) {
      return this.data[catalog].create(input);
    },
    [
      SoleMutation(
        () => type,
        `Creates ${article} ${noun}${isProject ? ', which is a number space' : ''}.`,
        `The new ${noun}.`,
      ),
      Arg('input', () => CodedRowInput, 'Code and display name.'),
    ],
  );
  defineMethod(
    prototype,
    `rename${name}`,
    async function rename(input: RenameInput, { identity }: RequestContext) {
      if (isProject) await projectOf(input.code, this.data, identity);
      return this.data[catalog].rename(input);
    },
    [
      SoleMutation(() => type, `Changes the display name of ${article} ${noun}.`, `The renamed ${noun}.`),
      Arg('input', () => RenameInput, 'Code and display name.'),
      Ctx(),
    ],
  );
  if (isProject) continue;
  const connection = connectionType(name, type);
  defineMethod(
    prototype,
    `${name.charAt(0).toLowerCase()}${name.slice(1)}s`,
    function list(page: CodedPageArgs) {
      return pageOf(this.data[catalog] as CodedCatalog<CodedRow>, page);
    },
    [Query(() => connection, `Lists ${noun}s, newest first.`) as MethodDecorator, Args(() => CodedPageArgs)],
  );
}

async function pageOf<Row extends CodedRow>(
  catalog: CodedCatalog<Row>,
  page: CodedPageArgs,
): Promise<Connection<Row>> {
  const first = readPageSize(page);
  const rows = await catalog.list({ first, after: readIdCursor(page), start: page.codeStart });
  return idConnection(rows.slice(0, first), page, rows.length > first);
}
