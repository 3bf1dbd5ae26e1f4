import type { SubscriptionChannel } from '../contract/subscription-channel.js';

type Provided<Value> = Value | (() => Value | Promise<Value>);

/** Where the gateway is, who calls, and how long a call may take. */
export interface ClientOptions {
  /** Where the gateway answers, such as `/graphql` (in a page) or `https://api.example.com/graphql`. */
  readonly url: string;
  /** The bearer token, or a function that is asked before each attempt. Default: none, as in demo mode. */
  readonly token?: Provided<string | undefined>;
  /** Further headers, such as `{ 'x-demo-user': 'driver-7' }`; the demo user goes to WebSockets as well. */
  readonly headers?: Provided<Readonly<Record<string, string>>>;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** `webSockets()` of `@solegate/client/websocket`. Default, and where sockets are cut: server-sent events. */
  readonly webSocket?: SubscriptionChannel;
  /** Every call has ended after so long, in milliseconds, repeats included. Default 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
}

/** How attempts of one call follow one another. */
export interface RetryOptions {
  /** A single attempt without an answer is given up after so long, in milliseconds. Default 10,000. */
  readonly attemptTimeoutMs?: number;
  /** The pause before the first repeat, in milliseconds; it doubles each time, and half of it is chance. Default 100. */
  readonly baseMs?: number;
  /** The longest pause, in milliseconds. Default 3,000. What the server asks for comes on top. */
  readonly maxMs?: number;
  /** Attempts of a call, at least 1. Default: as many as there is time for. */
  readonly attemptMax?: number;
}

/** Options with their defaults. */
export interface Settings {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly webSocket: SubscriptionChannel | undefined;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly attemptMax: number;
  /** Whether another token may come when one is refused. */
  readonly canRenewToken: boolean;
  /** @throws what the caller's functions throw */
  readonly readHeaders: () => Promise<Record<string, string>>;
}

/** The longest delay that a timer can have. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** @throws TypeError, RangeError for options that make no sense */
export function readOptions(options: ClientOptions): Settings {
  const { url, token, headers, retry = {} } = options;
  if (typeof url !== 'string' || url === '') throw new TypeError('url: says where the gateway answers');
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
