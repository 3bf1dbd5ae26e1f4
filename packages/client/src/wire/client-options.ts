import type { SubscriptionChannel } from '../contract/subscription-channel.js';
import { refuseUnknownOptions } from './option-names.js';

type Provided<Value> = Value | (() => Value | Promise<Value>);

/** Where the gateway is, who calls, and how long a call may take. */
export interface ClientOptions {
  /** Endpoint of the gateway, such as `/graphql` (in a page) or `https://api.example.com/graphql`. */
  readonly url: string;
  /** The bearer token, or a function called before each attempt. Default: none, as in demo mode. */
  readonly token?: Provided<string | undefined>;
  /** Additional headers, such as `{ 'x-demo-user': 'driver-7' }`; the demo user is also sent over WebSockets. */
  readonly headers?: Provided<Readonly<Record<string, string>>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** `webSockets()` of `@solegate/client/websocket`. Default, and the fallback for it: server-sent events. */
  readonly webSocket?: SubscriptionChannel;
  /** Time limit of a whole call, retries included, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
}

/** How a call is retried. */
export interface RetryOptions {
  /** Time limit of a single attempt, in milliseconds. Default 10,000. */
  readonly attemptTimeoutMs?: number;
  /** Pause before the first retry, in milliseconds; it doubles each time, and half of it is random. Default 100. */
  readonly baseMs?: number;
  /** Longest pause, in milliseconds. Default 3,000. A pause requested by the server is added to it. */
  readonly maxMs?: number;
  /** Maximum attempts per call, at least 1. Default: as many as fit into `timeoutMs`. */
  readonly attemptMax?: number;
}

/** The options, with defaults applied. */
export interface Settings {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly webSocket: SubscriptionChannel | undefined;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly attemptMax: number;
  /** Whether `token` is a function, which can supply another token after one is refused. */
  readonly canRenewToken: boolean;
  /** @throws what the caller's functions throw */
  readonly readHeaders: () => Promise<Record<string, string>>;
}

const NAMES = {
  url: true,
  token: true,
  headers: true,
  fetch: true,
  webSocket: true,
  timeoutMs: true,
  retry: true,
} as const;
const RETRY_NAMES = { attemptTimeoutMs: true, baseMs: true, maxMs: true, attemptMax: true } as const;

/** The longest delay of a timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** @throws TypeError, RangeError for invalid options */
export function readOptions(options: ClientOptions): Settings {
  const { url, token, headers, retry = {} } = options;
  refuseUnknownOptions(options, NAMES);
  refuseUnknownOptions(retry, RETRY_NAMES);
  if (typeof url !== 'string' || url === '') throw new TypeError('url: must be the address of the gateway');
  return {
    url,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    webSocket: options.webSocket,
    timeoutMs: atLeast(1, 'timeoutMs', options.timeoutMs ?? 30_000),
    attemptTimeoutMs: atLeast(1, 'retry.attemptTimeoutMs', retry.attemptTimeoutMs ?? 10_000),
    baseMs: atLeast(0, 'retry.baseMs', retry.baseMs ?? 100),
    maxMs: atLeast(0, 'retry.maxMs', retry.maxMs ?? 3_000),
    attemptMax: atLeast(1, 'retry.attemptMax', retry.attemptMax ?? TIMER_MAX_MS),
    canRenewToken: typeof token === 'function',
    async readHeaders() {
      const [bearer, others] = await Promise.all([provide(token), provide(headers)]);
      return { ...others, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
    },
  };
}

function provide<Value extends string | object>(value: Provided<Value | undefined>) {
  return typeof value === 'function' ? value() : value;
}

/** @throws RangeError */
export function atLeast(least: number, name: string, value: number): number {
  if (value >= least && value <= TIMER_MAX_MS) return value;
  throw new RangeError(`${name}: ${least} to ${TIMER_MAX_MS}, not ${value}`);
}
