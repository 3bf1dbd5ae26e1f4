import type { LocalServices } from '@solegate/local-services';
import type { GatewayConfig } from '../config.js';
import { FIRST_QUERY } from '../first-query.js';

/** What a person sees at the start: where it listens, what is embedded, where data lies, what to try first. */
export function bannerOf(
  config: GatewayConfig,
  stores: LocalServices,
  started: { readonly port: number; readonly node: number | undefined },
): string {
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${started.port}`;
  const { postgres, redis } = stores;
  const identity =
    config.identity.mode === 'demo'
      ? 'demo mode: whoever reaches this loopback address may be anyone (header x-demo-user: driver-1)'
      : `bearer tokens of ${config.identity.issuer}`;
  const lines = [
    '',
    `Solegate is ready at ${address}/graphql`,
    '',
    `  console     ${address}`,
    `  PostgreSQL  ${placeOf(stores.databaseUrl, postgres)}`,
    `  Redis       ${placeOf(stores.redisUrl, redis)}`,
    `  identity    ${identity}`,
    config.workerCount > 1
      ? `  workers     ${config.workerCount}`
      : `  node ID     ${started.node ?? 'none'}`,
    '',
  ];
  if (config.identity.mode === 'demo') {
    lines.push(
      `Open ${address} in a browser: press Load and issue a hundred numbers at once. Or paste:`,
      '',
      `curl -s ${address}/graphql -H 'content-type: application/json' -d '${JSON.stringify({ query: FIRST_QUERY.replace(/\s+/g, ' ') })}'`,
      '',
      ...(postgres && redis ? secondGateway(stores, started.port + 1) : []),
      'Ctrl-C stops everything.',
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

function placeOf(url: string, embedded: { readonly dataDir: string } | undefined): string {
  return embedded ? `embedded, ${withoutSecret(url)}, data in ${embedded.dataDir}` : withoutSecret(url);
}

/** Only for stores of our own: their URLs hold no secret that counts. */
function secondGateway({ databaseUrl, redisUrl }: LocalServices, port: number): string[] {
  return [
    'A second gateway on the same stores, in another terminal:',
    '',
    `DATABASE_URL=${databaseUrl} REDIS_URL=${redisUrl} PORT=${port} npm start`,
    '',
  ];
}

/** A URL for eyes: passwords stay out of terminals and logs. */
function withoutSecret(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
