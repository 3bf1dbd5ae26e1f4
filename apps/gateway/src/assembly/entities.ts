import { Correspondence } from '../correspondences/correspondence.js';
import { CorrespondenceType } from '../master-data/correspondence-type.js';
import { Discipline } from '../master-data/discipline.js';
import { Organization } from '../master-data/organization.js';
import { Person } from '../master-data/person.js';
import { Project } from '../master-data/project.js';

/** TypeORM entities of the gateway's own tables. */
export const GATEWAY_ENTITIES: readonly NewableFunction[] = [
  Project,
  Organization,
  CorrespondenceType,
  Discipline,
  Person,
  Correspondence,
];
