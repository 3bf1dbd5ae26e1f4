import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** There is no server for the tests, or it could not be started. The message says what to do. */
export class TestServerError extends Error {
  readonly code = 'TEST_SERVER';

  constructor(
    readonly service: Service,
    message: string,
  ) {
    super(message);
    this.name = 'TestServerError';
  }
}

type Service = 'postgres' | 'redis';

const VARIABLES = { postgres: 'TEST_DATABASE_URL', redis: 'TEST_REDIS_URL' } as const;
/** URLs of the servers that `npm test` started for all packages. */
const RUN_VARIABLES = { postgres: 'SOLEGATE_RUN_DATABASE_URL', redis: 'SOLEGATE_RUN_REDIS_URL' } as const;

/**
 * Returns the URL of the server that all tests of this run share: TEST_DATABASE_URL or TEST_REDIS_URL, else the server
 * that `npm test` started, else one that the Jest run starts on first use.
 *
 * @throws TestServerError
 */
export async function testServerUrl(service: Service): Promise<string> {
  const variable = VARIABLES[service];
  const given = process.env[variable] || process.env[RUN_VARIABLES[service]];
  if (given) return given;
  const run = process.env.SOLEGATE_TEST_RUN;
  if (!run) {
    throw new TestServerError(
      service,
      `Set ${variable}, or use jestPreset() of @solegate/testkit, which starts servers`,
    );
  }
  const socket = connect({ host: '127.0.0.1', port: Number(run) });
  await once(socket, 'connect');
  socket.write(`${service}\n`);
  const answer = JSON.parse(await text(socket)) as { url?: string; error?: string };
  if (answer.url === undefined)
    throw new TestServerError(service, answer.error ?? 'The Jest run gave no answer');
  return answer.url;
}

/**
 * The pooler between the tests of this run and PostgreSQL, from TEST_POOLER: `named`, a PgBouncer in transaction mode
 * whose clients name their statements; `unnamed`, one whose clients do not. Default: none.
 *
 * @throws TestServerError for any other value
 */
export function testPooler(): 'named' | 'unnamed' | undefined {
  const pooler = process.env.TEST_POOLER;
  if (pooler === undefined || pooler === 'named' || pooler === 'unnamed') return pooler;
  throw new TestServerError('postgres', `TEST_POOLER is "named" or "unnamed", not "${pooler}"`);
}
