import { expect, test } from '@jest/globals';
import { createTestDatabase, until } from '@solegate/testkit';
import { pino } from 'pino';
import { GATEWAY_ENTITIES } from '../src/assembly/entities.js';
import { Cell, type RunningCell } from '../src/cells/cell.js';
import { Cells } from '../src/cells/cells.js';
import type { GatewayConfig } from '../src/config.js';
import type { Identity } from '../src/identity/identity.js';
import { People } from '../src/master-data/people.js';
import { openDatabase } from '../src/stores/database.js';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** Numbers and trips show the names that tokens state. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

async function ask(query: string, facts: TokenFacts = {}): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { headers: await bearer(facts) });
  expect(errors).toEqual([]);
  return data;
}

test('a number shows the name of whoever took it, as their newest token states it', async () => {
  // Later than 2027, IDs have 19 digits.
  const malee = { subject: '1911811146221092864', roles: ['clerk'], projects: ['ONE'] };
  await ask('mutation { createProject(input: { code: "ONE", name: "x" }) { ... on Project { id } } }');
  await ask(
    'mutation { createOrganization(input: { code: "TEAM", name: "x" }) { ... on Organization { id } } }',
  );
  await ask('mutation { createDiscipline(input: { code: "STR", name: "x" }) { ... on Discipline { id } } }');
  await ask(
    'mutation { createCorrespondenceType(input: { code: "RFA", name: "x" }) { ... on CorrespondenceType { id } } }',
  );
  await ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "ONE", typeCode: "RFA",
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { ... on DocumentNumberFormat { version } } }`);
  const issue = `mutation { issueDocumentNumber(input: { projectCode: "ONE", organizationCode: "TEAM",
    typeCode: "RFA", disciplineCode: "STR" }) { ... on DocumentNumber { number } } }`;
  const { number } = (await ask(issue, { ...malee, name: 'Malee Sukjai' })).issueDocumentNumber;
  const find = `{ documentNumber(by: { number: { number: "${number}", projectCode: "ONE" } }) { actor { id name } } }`;
  const actorBy = async (facts: TokenFacts) => (await ask(find, facts)).documentNumber.actor;
  await until(async () => (await actorBy({}))?.name === 'Malee Sukjai');
  await until(async () => (await actorBy({ ...malee, name: 'Malee Wongsa' }))?.name === 'Malee Wongsa');
  expect(await actorBy(malee)).toEqual({ id: malee.subject, name: 'Malee Wongsa' });
});

test('a trip shows rider and driver to each other by name', async () => {
  const rider = { subject: '51', roles: ['rider'], name: 'Rin' };
  const driver = { subject: '52', roles: ['driver'], name: 'Dao' };
  const { id } = (
    await ask('mutation { requestTrip(input: { offeredTo: ["52"] }) { ... on Trip { id } } }', rider)
  ).requestTrip;
  const accept = `mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`;
  await until(async () => (await ask(accept, driver)).acceptTrip.__typename === 'TripAccepted');
  const names = async (facts: TokenFacts) => {
    const { trip } = await ask(`{ trip(id: "${id}") { rider { name } driver { name } } }`, facts);
    return [trip.rider?.name, trip.driver?.name];
  };
  await until(async () => String(await names(rider)) === 'Rin,Dao');
  expect(await names(driver)).toEqual(['Rin', 'Dao']);
});

test('a cell that is away keeps no names waiting: the next token of each person after it has started brings them', async () => {
  await using one = await createTestDatabase({ migrations: [] });
  await using two = await createTestDatabase({ migrations: [] });
  const logger = pino({ level: 'silent' });
  const config = { databasePoolMax: 2, statementTimeoutMs: 10_000 } as GatewayConfig;
  let isAway = true;
  const cellOf = (name: string, url: string) =>
    new Cell({
      name,
      nodes: undefined,
      logger,
      async start() {
        if (name === 'two' && isAway) throw new Error('away');
        const database = await openDatabase(url, {
          config,
          logger,
          migrates: true,
          entities: GATEWAY_ENTITIES,
        });
        return { database, close: () => database.close() } as RunningCell;
      },
    });
  const [first, second] = [cellOf('one', one.url), cellOf('two', two.url)];
  const cells = new Cells([first, second]);
  await using _closing = { [Symbol.asyncDispose]: () => cells.close() };
  await cells.start();
  const people = new People(cells);
  const ids = Array.from({ length: 50 }, (_, index) => BigInt(index + 1));
  const verifyAll = (name: string) => {
    for (const subjectId of ids) people.keep({ subjectId, name } as Identity);
  };
  const namesIn = async ({ pool }: typeof one) => {
    const { rows } = await pool.query('SELECT name, count(*)::int FROM people GROUP BY name');
    return rows.map(({ name, count }) => `${count} ${name}`);
  };
  for (const name of ['An', 'Bo', 'Chai']) {
    verifyAll(name);
    await until(async () => String(await namesIn(one)) === `50 ${name}`);
  }
  isAway = false;
  await until(() => second.hasStarted);
  await cells.write((dataSource) =>
    dataSource.query("INSERT INTO organizations (id, code, name) VALUES (1, 'NEW', 'x')"),
  );
  await until(async () => (await two.pool.query('SELECT FROM organizations')).rowCount === 1);
  expect(await namesIn(two)).toEqual([]);
  verifyAll('Chai');
  await until(async () => String(await namesIn(two)) === '50 Chai');
});
