import type { LocalServices } from '@solegate/local-services';
import type { GatewayConfig } from '../config.js';
import { FIRST_QUERY } from '../first-query.js';
import type { PromiseStatus } from '../operations/promise-table.js';

/** Returns the startup text for the terminal: address, stores and their data directories, identity, first steps. */
export function bannerOf(
  config: GatewayConfig,
  stores: LocalServices,
  started: {
    readonly port: number;
    readonly node: number | undefined;
    readonly promises: readonly PromiseStatus[];
  },
): string {
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${started.port}`;
  const { postgres, redis } = stores;
  const identity =
    config.identity.mode === 'demo'
      ? 'demo mode: any caller on this loopback address can act as any user (header x-demo-user: driver-1)'
      : `bearer tokens from ${config.identity.issuer}`;
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
    ...limitsOf(started.promises),
  ];
  if (config.identity.mode === 'demo') {
    lines.push(
      `Open ${address} in a browser: press Load and issue a hundred numbers at once. Or paste this:`,
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

/** What does not work, or works differently, and what to do; nothing if all is well. */
function limitsOf(promises: readonly PromiseStatus[]): string[] {
  const limited = promises.filter(({ limits }) => limits.length > 0);
  if (limited.length === 0) return [];
  const effects = limited.flatMap(({ promise, works, limits }) =>
    limits.map(({ effect }) => `  ${promise}: ${works ? 'works' : 'does not work'}. ${effect}`),
  );
  const actions = limited.flatMap(({ limits }) =>
    limits.map(({ reason, action }) => `  ${reason}. ${action}`),
  );
  return [...effects, ...new Set(actions), ''];
}

function placeOf(url: string, embedded: { readonly dataDir: string } | undefined): string {
  return embedded ? `embedded, ${withoutSecret(url)}, data in ${embedded.dataDir}` : withoutSecret(url);
}

/** Shown only for embedded stores, whose URLs contain no real secrets. */
function secondGateway({ databaseUrl, redisUrl }: LocalServices, port: number): string[] {
  return [
    'A second gateway on the same stores, in another terminal:',
    '',
    `DATABASE_URL=${databaseUrl} REDIS_URL=${redisUrl} PORT=${port} npm start`,
    '',
  ];
}

/** Keeps scheme, hosts and path of a URL: passwords can contain "@", or be among the parameters. */
function withoutSecret(url: string): string {
  return url.replace(/\?.*/s, '').replace(/\/\/[^/]*@/, '//');
}
