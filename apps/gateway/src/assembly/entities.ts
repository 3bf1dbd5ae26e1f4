import { Correspondence } from '../correspondences/correspondence.js';
import { CorrespondenceType, Discipline, Organization, Project } from '../master-data/coded-row.js';
import { Person } from '../master-data/people.js';

/** TypeORM entities of the gateway's own tables. */
export const GATEWAY_ENTITIES: readonly NewableFunction[] = [
  Project,
  Organization,
  CorrespondenceType,
  Discipline,
  Person,
  Correspondence,
];
