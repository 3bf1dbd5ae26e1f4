/** The part of autocannon that the bench uses; the package ships no types. */
declare module 'autocannon' {
  export interface Client {
    on(event: 'body', listener: (body: Buffer | string) => void): void;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** What each connection sends in turn; the rest is as above. Default: the same each time. */
    readonly requests?: readonly { readonly headers: Readonly<Record<string, string>> }[];
    readonly setupClient: (client: Client) => void;
  }

  export interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly errors: number;
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number };
  }

  // biome-ignore lint/style/noDefaultExport: the shape of autocannon
  export default function autocannon(options: Options): Promise<Result>;
}
