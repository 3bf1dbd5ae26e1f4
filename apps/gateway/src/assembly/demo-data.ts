import type { Logger } from 'pino';
import { ensureDemoSeries } from '../breaking/demo-series.js';
import type { CodedCatalog } from '../master-data/coded-catalog.js';
import type { CodedRow } from '../master-data/coded-row.js';
import { Person } from '../master-data/people.js';
import type { Services } from './services.js';

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

/** Delay before a failed attempt is repeated. */
const AGAIN_MS = 1_000;

/**
 * The data that the README's examples use: one project, codes, one format per type, and five people. Their IDs are 1 to
 * 5, so that the demo users driver-1 to driver-5 have names. Safe to write at every start and concurrently.
 */
export class DemoData {
  #timer: NodeJS.Timeout | undefined;
  #trying: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly services: Pick<Services, 'cells' | 'data' | 'numbering'>,
    private readonly logger: Logger,
  ) {}

  /** Tries once; if that fails, such as without IDs or without the first cell, tries again in the background. */
  async write(): Promise<void> {
    try {
      await this.#writeMissing();
    } catch (error) {
      if (this.#isStopped) return;
      this.logger.warn({ err: error }, 'the demo data could not be written; it is retried');
      this.#timer = setTimeout(() => {
        this.#trying = this.write();
      }, AGAIN_MS).unref();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#trying;
  }

  async #writeMissing(): Promise<void> {
    const { cells, data, numbering } = this.services;
    await ensureAll(data.projects, [PROJECT]);
    await ensureAll(data.organizations, ORGANIZATIONS);
    await ensureAll(data.types, TYPES);
    await ensureAll(data.disciplines, DISCIPLINES);
    await cells.first.running.database.dataSource
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
}

async function ensureAll<Row extends CodedRow>(
  catalog: CodedCatalog<Row>,
  rows: readonly { readonly code: string; readonly name: string }[],
): Promise<void> {
  for (const row of rows) await catalog.ensure(row);
}
