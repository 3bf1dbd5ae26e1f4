import type { Numbering } from '@solegate/doc-numbering';
import type { DataSource } from 'typeorm';
import { ensureDemoSeries } from '../breaking/demo-series.js';
import type { CodedCatalog } from '../master-data/coded-catalog.js';
import type { CodedRow } from '../master-data/coded-row.js';
import type { MasterData } from '../master-data/master-data.js';
import { Person } from '../master-data/people.js';

const PROJECT = { code: 'DEMO', name: 'Demonstration project' };
const ORGANIZATIONS = [
  { code: 'TEAM', name: 'Project team' },
  { code: 'OWN', name: 'Owner' },
  { code: 'CON', name: 'Contractor' },
];
const TYPES = [
  { code: 'RFA', name: 'Request for approval' },
  { code: 'RFI', name: 'Request for information' },
  { code: 'MEMO', name: 'Memorandum' },
];
const DISCIPLINES = [
  { code: 'STR', name: 'Structural' },
  { code: 'ARC', name: 'Architectural' },
  { code: 'MEP', name: 'Mechanical, electrical and plumbing' },
];
const PEOPLE = ['Anong', 'Boonmee', 'Chai', 'Dara', 'Ekkachai'];
const TEMPLATE = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';

/**
 * Writes the data that the README's examples use: one project, codes, one format per type, and five people. Their IDs
 * are 1 to 5, so that the demo users driver-1 to driver-5 have names. Safe to run at every start and concurrently.
 */
export async function writeDemoData(
  dataSource: DataSource,
  data: MasterData,
  numbering: Numbering,
): Promise<void> {
  await ensureAll(data.projects, [PROJECT]);
  await ensureAll(data.organizations, ORGANIZATIONS);
  await ensureAll(data.types, TYPES);
  await ensureAll(data.disciplines, DISCIPLINES);
  await dataSource
    .createQueryBuilder()
    .insert()
    .into(Person)
    .values(PEOPLE.map((name, index) => ({ id: BigInt(index + 1), name })))
    .orIgnore()
    .execute();
  const project = await data.projects.get(PROJECT.code);
  const space = String(project.id);
  for (const { code } of TYPES)
    await ensureDemoSeries(numbering, { space, series: code, template: TEMPLATE });
}

async function ensureAll<Row extends CodedRow>(
  catalog: CodedCatalog<Row>,
  rows: readonly { readonly code: string; readonly name: string }[],
): Promise<void> {
  for (const row of rows) await catalog.ensure(row);
}
