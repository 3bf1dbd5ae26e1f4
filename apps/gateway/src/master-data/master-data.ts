import { type DataSource, In } from 'typeorm';
import { CodedCatalog } from './coded-catalog.js';
import { CorrespondenceType } from './correspondence-type.js';
import { Discipline } from './discipline.js';
import { Organization } from './organization.js';
import { Person } from './person.js';
import { Project } from './project.js';

/** Everything that the packages are told of the world, read by TypeORM. */
export class MasterData {
  readonly projects: CodedCatalog<Project>;
  readonly organizations: CodedCatalog<Organization>;
  readonly types: CodedCatalog<CorrespondenceType>;
  readonly disciplines: CodedCatalog<Discipline>;

  constructor(
    private readonly dataSource: DataSource,
    mint: () => bigint,
  ) {
    this.projects = new CodedCatalog(dataSource.getRepository(Project), mint, 'project');
    this.organizations = new CodedCatalog(dataSource.getRepository(Organization), mint, 'organization');
    this.types = new CodedCatalog(dataSource.getRepository(CorrespondenceType), mint, 'correspondence type');
    this.disciplines = new CodedCatalog(dataSource.getRepository(Discipline), mint, 'discipline');
  }

  /** In the order of the IDs; undefined where there is none. */
  async findPeople(ids: readonly bigint[]): Promise<(Person | undefined)[]> {
    const people = await this.dataSource.getRepository(Person).findBy({ id: In([...ids]) });
    const byId = new Map(people.map((person) => [person.id, person]));
    return ids.map((id) => byId.get(id));
  }
}
