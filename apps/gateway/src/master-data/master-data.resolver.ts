import { Arg, Args, Field, InputType, Mutation, Query, Resolver } from 'type-graphql';
import { type Connection, connectionType } from '../graphql/connection.type.js';
import { idConnection, PageArgs, readIdCursor, readPageSize } from '../graphql/page.args.js';
import type { CodedCatalog } from './coded-catalog.js';
import type { CodedRow } from './coded-row.js';
import { CorrespondenceType } from './correspondence-type.js';
import { Discipline } from './discipline.js';
import type { MasterData } from './master-data.js';
import { Organization } from './organization.js';
import { Project } from './project.js';

@InputType()
export class CodedRowInput {
  @Field(() => String, { description: '1 to 20 letters, digits, dots or underscores. Never changes.' })
  code!: string;

  @Field(() => String, { description: '1 to 200 characters.' })
  name!: string;
}

const ProjectConnection = connectionType('Project', Project);
const OrganizationConnection = connectionType('Organization', Organization);
const CorrespondenceTypeConnection = connectionType('CorrespondenceType', CorrespondenceType);
const DisciplineConnection = connectionType('Discipline', Discipline);

@Resolver()
export class MasterDataResolver {
  constructor(private readonly data: MasterData) {}

  @Query(() => ProjectConnection)
  async projects(@Args(() => PageArgs) page: PageArgs): Promise<Connection<Project>> {
    return pageOf(this.data.projects, page);
  }

  @Query(() => OrganizationConnection)
  async organizations(@Args(() => PageArgs) page: PageArgs): Promise<Connection<Organization>> {
    return pageOf(this.data.organizations, page);
  }

  @Query(() => CorrespondenceTypeConnection)
  async correspondenceTypes(@Args(() => PageArgs) page: PageArgs): Promise<Connection<CorrespondenceType>> {
    return pageOf(this.data.types, page);
  }

  @Query(() => DisciplineConnection)
  async disciplines(@Args(() => PageArgs) page: PageArgs): Promise<Connection<Discipline>> {
    return pageOf(this.data.disciplines, page);
  }

  @Mutation(() => Project)
  async createProject(@Arg('input', () => CodedRowInput) input: CodedRowInput): Promise<Project> {
    return this.data.projects.create(input);
  }

  @Mutation(() => Organization)
  async createOrganization(@Arg('input', () => CodedRowInput) input: CodedRowInput): Promise<Organization> {
    return this.data.organizations.create(input);
  }

  @Mutation(() => CorrespondenceType)
  async createCorrespondenceType(
    @Arg('input', () => CodedRowInput) input: CodedRowInput,
  ): Promise<CorrespondenceType> {
    return this.data.types.create(input);
  }

  @Mutation(() => Discipline)
  async createDiscipline(@Arg('input', () => CodedRowInput) input: CodedRowInput): Promise<Discipline> {
    return this.data.disciplines.create(input);
  }
}

async function pageOf<Row extends CodedRow>(
  catalog: CodedCatalog<Row>,
  page: PageArgs,
): Promise<Connection<Row>> {
  const first = readPageSize(page);
  const rows = await catalog.list({ first, after: readIdCursor(page) });
  return idConnection(rows.slice(0, first), page, rows.length > first);
}
