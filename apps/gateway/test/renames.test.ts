import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase, until } from '@solegate/testkit';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { GATEWAY_ENTITIES } from '../src/assembly/entities.js';
import { Cell, type RunningCell } from '../src/cells/cell.js';
import { Cells } from '../src/cells/cells.js';
import { CodedCatalog } from '../src/master-data/coded-catalog.js';
import { Organization } from '../src/master-data/coded-row.js';
import { createDataSource } from '../src/stores/data-source.js';
import { migrate } from '../src/stores/schema.js';

/** Two gateways on two databases, of which the second is away for one of the gateways. */
const databases: TestDatabase[] = [];
const dataSources: DataSource[] = [];
let nextId = 1n;

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    const database = await createTestDatabase({ migrations: [] });
    databases.push(database);
    const { url } = database;
    const options = { url, entities: GATEWAY_ENTITIES, poolMax: 3, statementTimeoutMs: 10_000 };
    const dataSource = await createDataSource({ ...options, onPoolError: () => undefined }).initialize();
    dataSources.push(dataSource);
    await migrate(dataSource);
  }
});

afterAll(async () => {
  await Promise.all(dataSources.map((dataSource) => dataSource.destroy()));
  await Promise.all(databases.map((database) => database.drop()));
});

async function gatewayOf() {
  const [first, second] = dataSources.map((dataSource, index) => {
    const running = { database: { dataSource }, close: async () => undefined } as unknown as RunningCell;
    const logger = pino({ level: 'silent' });
    return new Cell({ name: `cell-${index}`, nodes: undefined, start: async () => running, logger });
  }) as [Cell, Cell];
  await first.start();
  const mint = (): bigint => nextId++;
  const cells = new Cells([first, second]);
  return { organizations: new CodedCatalog(cells, { entity: Organization, noun: 'x', mint }), second, cells };
}

async function nameInSecond(code: string): Promise<string | undefined> {
  return (await dataSources[1]?.getRepository(Organization).findOneBy({ code }))?.name;
}

test.each(['rename', 'create'] as const)(
  'a later rename is kept where a %s of another gateway arrives after it',
  async (earlier) => {
    const [late, other] = [await gatewayOf(), await gatewayOf()];
    await other.second.start();
    const code = earlier.toUpperCase();
    if (earlier === 'rename') await other.organizations.create({ code, name: 'first' });
    await late.organizations[earlier]({ code, name: 'earlier' });
    await late.organizations.create({ code: `END${code}`, name: 'follows' });
    await other.organizations.rename({ code, name: 'later' });
    await late.second.start();
    await until(async () => (await nameInSecond(`END${code}`)) === 'follows');
    expect(await nameInSecond(code)).toBe('later');
    await Promise.all([late.cells.close(), other.cells.close()]);
  },
);
