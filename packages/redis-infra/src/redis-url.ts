/** One host and port, as in a URL. */
interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** The location of Redis and the login, parsed from a URL. */
export interface RedisTarget {
  readonly topology: 'standalone' | 'sentinel' | 'cluster';
  /** The server, the sentinels, or some nodes of the cluster. */
  readonly addresses: readonly RedisAddress[];
  /** The sentinels' name for the group of servers; empty for other topologies. */
  readonly masterName: string;
  readonly database: number;
  readonly usesTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** For the sentinels, which have their own users. */
  readonly sentinelUsername: string | undefined;
  readonly sentinelPassword: string | undefined;
  /** Hosts and topology for messages and logs; never contains a password. */
  readonly description: string;
}

/** The Redis URL is invalid. The message names the fault and contains no credentials. */
export class RedisUrlError extends Error {
  readonly code = 'REDIS_URL';
  readonly retryable = false;
  override readonly name = 'RedisUrlError';
}

const form =
  /^(?<tls>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/?]+)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/;
const address = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/i;

/**
 * Parses a Redis URL. Credentials are percent-encoded, as in any URL; `rediss` enables TLS.
 *
 * | topology | form |
 * |---|---|
 * | one server | `redis://user:password@host:6379/0` |
 * | Sentinel | `redis+sentinel://user:password@host:26379,host:26379/masterName/0` |
 * | Cluster | `redis+cluster://user:password@host:6379,host:6379` |
 *
 * For sentinels with their own password, add `?sentinelPassword=…` (and `&sentinelUsername=…`).
 *
 * @throws {@link RedisUrlError}
 */
export function parseRedisUrl(url: string): RedisTarget {
  const parts = form.exec(url)?.groups;
  if (!parts) {
    throw new RedisUrlError(
      'The Redis URL must look like redis://host:6379/0, redis+sentinel://host:26379,host:26379/masterName/0 ' +
        'or redis+cluster://host:6379,host:6379; special characters in a password must be percent-encoded.',
    );
  }
  const topology = parts.kind === 'sentinel' || parts.kind === 'cluster' ? parts.kind : 'standalone';
  const defaultPort = topology === 'sentinel' ? 26379 : 6379;
  const addresses = (parts.hosts ?? '')
    .split(',')
    .map((text, index) => parseAddress({ text, index, defaultPort }));
  if (topology === 'standalone' && addresses.length > 1) {
    throw new RedisUrlError('Multiple hosts require redis+sentinel:// or redis+cluster:// in the Redis URL.');
  }
  const path = (parts.path ?? '').split('/').slice(1).map(decode);
  const masterName = topology === 'sentinel' ? (path.shift() ?? '') : '';
  if (topology === 'sentinel' && masterName === '') {
    throw new RedisUrlError('A Sentinel URL must name its master: redis+sentinel://host:26379/masterName/0.');
  }
  const [username, password] = parseLogin(parts.login);
  const query = parseQuery(parts.query, topology);
  const hosts = addresses
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(', ');
  return {
    topology,
    addresses,
    masterName,
    database: parseDatabase(path, topology),
    usesTls: parts.tls === 'rediss',
    username,
    password,
    sentinelUsername: query.get('sentinelUsername') ?? undefined,
    sentinelPassword: query.get('sentinelPassword') ?? undefined,
    description: topology === 'sentinel' ? `master ${masterName} of sentinels ${hosts}` : hosts,
  };
}

function parseAddress({ text, index, defaultPort }: { text: string; index: number; defaultPort: number }) {
  const parts = address.exec(text)?.groups;
  const host = parts?.ipv6 ?? parts?.name;
  const port = parts?.port === undefined ? defaultPort : Number(parts.port);
  if (host === undefined || port < 1 || port > 65_535) {
    // The text could be the start of a password with an unencoded slash in it, so it is not repeated.
    throw new RedisUrlError(
      `Host ${index + 1} of the Redis URL is not host:port with a port of 1 to 65535 (in a password, / is %2F).`,
    );
  }
  return { host, port };
}

function parseLogin(login: string | undefined): [string | undefined, string | undefined] {
  if (!login) return [undefined, undefined];
  const colon = login.indexOf(':');
  const username = decode(colon === -1 ? login : login.slice(0, colon));
  return [username || undefined, colon === -1 ? undefined : decode(login.slice(colon + 1))];
}

function parseQuery(text: string | undefined, topology: RedisTarget['topology']): URLSearchParams {
  const query = new URLSearchParams(text);
  const known = topology === 'sentinel' ? ['sentinelUsername', 'sentinelPassword'] : [];
  if ([...query.keys()].some((name) => !known.includes(name))) {
    throw new RedisUrlError(
      'The Redis URL accepts no parameters except sentinelUsername and sentinelPassword.',
    );
  }
  return query;
}

function parseDatabase(path: readonly string[], topology: RedisTarget['topology']): number {
  const [text = '', ...rest] = path;
  if (!/^\d{0,5}$/.test(text) || rest.length > 0) {
    throw new RedisUrlError('The path of the Redis URL must end with the number of a database, such as /0.');
  }
  if (topology === 'cluster' && Number(text) !== 0) {
    throw new RedisUrlError('A Redis Cluster has only database 0; omit the path of the URL.');
  }
  return Number(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new RedisUrlError('The Redis URL contains an invalid percent-encoding.', { cause });
  }
}
