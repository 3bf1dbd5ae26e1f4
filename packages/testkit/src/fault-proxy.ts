/**
 * What a fault proxy does to the traffic that goes through it:
 *
 * - `pass`: forwards both ways.
 * - `cutBeforeReply`: the request is thrown away and the connection is closed. The server never saw it.
 * - `cutAfterReply`: the request is delivered; when the server answers, the answer is thrown away and the connection is
 *   closed. The server has acted, the caller cannot know.
 * - `delay(ms)`: requests pass at once, answers arrive `ms` later, in order.
 * - `blackHole`: nothing gets through in either direction and nobody is told. As TCP would, what was sent meanwhile is
 *   kept and delivered when the mode ends. New connections are accepted and hear nothing.
 * - `reset`: open connections and new ones end at once with a TCP reset.
 */
export type FaultMode =
  | 'pass'
  | 'cutBeforeReply'
  | 'cutAfterReply'
  | 'blackHole'
  | 'reset'
  | { readonly delayMs: number };

/** Which traffic a mode strikes. Without a scope: all of it, until the next `set`. */
export interface FaultScope {
  /** For the two cut modes: after this many strikes the proxy passes again; `1` loses exactly the next reply. */
  readonly count?: number;
  /** For the two cut modes: strike only at requests with this text in them, such as `COMMIT` or a key. */
  readonly matching?: string | RegExp;
  /** Strike only the connection whose client has this local port (`redis.stream.localPort`); others go on as before. */
  readonly clientPort?: number;
}

export interface FaultProxy extends AsyncDisposable {
  /** The target's URL with the proxy's address in it: credentials, path and query are kept. */
  readonly url: string;
  readonly port: number;
  readonly mode: FaultMode;
  /** How many requests or replies were lost by the present mode. */
  readonly strikeCount: number;
  /** From now on, and for what is under way. */
  set(mode: FaultMode, scope?: FaultScope): void;
  /** Ends every connection and the listener. */
  close(): Promise<void>;
}
