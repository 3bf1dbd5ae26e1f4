import type { Numbering } from '@solegate/doc-numbering';
import DataLoader from 'dataloader';
import type { Correspondence } from '../correspondences/correspondence.js';
import type { CorrespondenceStore } from '../correspondences/correspondence-store.js';
import type { CorrespondenceType } from '../master-data/correspondence-type.js';
import type { Discipline } from '../master-data/discipline.js';
import type { MasterData } from '../master-data/master-data.js';
import type { Organization } from '../master-data/organization.js';
import type { Person } from '../master-data/person.js';
import type { Project } from '../master-data/project.js';
import { createLedgerLoader, type LedgerLoader } from '../numbering/ledger-loader.js';

type ById<Row> = DataLoader<bigint, Row | undefined>;

/** The references that one request follows: each loader asks once for all that a page refers to. */
export interface Loaders {
  readonly projects: ById<Project>;
  readonly organizations: ById<Organization>;
  readonly types: ById<CorrespondenceType>;
  readonly disciplines: ById<Discipline>;
  readonly people: ById<Person>;
  readonly correspondences: ById<Correspondence>;
  readonly ledger: LedgerLoader;
}

export interface LoaderSources {
  readonly data: MasterData;
  readonly correspondences: CorrespondenceStore;
  readonly numbering: Numbering;
}

export function createLoaders({ data, correspondences, numbering }: LoaderSources): Loaders {
  return {
    projects: new DataLoader((ids) => data.projects.findByIds(ids)),
    organizations: new DataLoader((ids) => data.organizations.findByIds(ids)),
    types: new DataLoader((ids) => data.types.findByIds(ids)),
    disciplines: new DataLoader((ids) => data.disciplines.findByIds(ids)),
    people: new DataLoader((ids) => data.findPeople(ids)),
    correspondences: new DataLoader((ids) => correspondences.findByIds(ids)),
    ledger: createLedgerLoader(numbering),
  };
}
