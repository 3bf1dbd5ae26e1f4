import {
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { asRuntimeRole, startTestGateway, type TestGateway } from './gateway-fixture.js';

const NODE_COUNT = 1_024;

/** Several PostgreSQL servers, one Redis, and gateways over all of them: cells `cell-0`, `cell-1` and so on. */
export class CellSystem implements AsyncDisposable {
  readonly gateways: TestGateway[] = [];

  private constructor(
    readonly servers: readonly PostgresTestServer[],
    readonly urls: readonly string[],
    readonly redis: RedisTestServer,
  ) {}

  static async start(cellCount: number): Promise<CellSystem> {
    const servers = await Promise.all(Array.from({ length: cellCount }, startPostgresServer));
    const redis = await startRedisServer();
    const urls = await Promise.all(servers.map(({ url }) => asRuntimeRole(url)));
    return new CellSystem(servers, urls, redis);
  }

  /** For DATABASE_URL: project `P1` and region `r1` are in `cell-1`, and so on; `DEMO` is in the first cell. */
  get list(): string {
    const share = NODE_COUNT / this.urls.length;
    const places = (prefix: string): Record<string, string> =>
      Object.fromEntries(this.urls.map((_, index) => [`${prefix}${index}`, `cell-${index}`]));
    return JSON.stringify({
      cells: this.urls.map((url, index) => ({
        name: `cell-${index}`,
        url,
        nodes: [index * share, (index + 1) * share - 1],
      })),
      projects: places('P'),
      regions: places('r'),
    });
  }

  async gateway(environment: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
    const [databaseUrl = ''] = this.urls;
    const stores = { databaseUrl, redisUrl: this.redis.url };
    const gateway = await startTestGateway(stores, {
      DATABASE_URL: this.list,
      RATE_LIMIT_PER_SECOND: '0',
      NODE_LEASE_WINDOW_MS: '3000',
      ...environment,
    });
    this.gateways.push(gateway);
    return gateway;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await Promise.all([...this.servers.map((server) => server.stop()), this.redis.stop()]);
  }
}

/** Creates the project `P<cell>` in its cell, with one numbered type, once the gateway has IDs and the demo data. */
export async function makeProject(gateway: TestGateway, cell: number): Promise<void> {
  const mutations = [
    `createProject(input: { code: "P${cell}", name: "Of cell ${cell}" }) { ... on Project { id } }`,
    `saveDocumentNumberFormat(input: {
      projectCode: "P${cell}", typeCode: "RFA", template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}"
    }) { ... on DocumentNumberFormat { version } }`,
  ];
  for (const mutation of mutations) {
    await until(async () => {
      const { errors } = await gateway.ask(`mutation { ${mutation} }`);
      if (errors.length > 0) throw new Error(JSON.stringify(errors));
      return true;
    });
  }
}

export const address = (cell: number): object => ({
  projectCode: `P${cell}`,
  organizationCode: 'TEAM',
  typeCode: 'RFA',
  disciplineCode: 'STR',
});

export const ISSUE = `mutation ($input: IssueDocumentNumberInput!) {
  issueDocumentNumber(input: $input) { ... on DocumentNumber { id number sequence } }
}`;
export const REQUEST_TRIP = `mutation ($region: String) {
  requestTrip(input: { region: $region, offerTtlMs: 60000 }) { ... on Trip { id offerEpoch } }
}`;
export const ACCEPT = `mutation ($input: AnswerOfferInput!) {
  acceptTrip(input: $input) { __typename ... on TripAccepted { driverId } }
}`;
