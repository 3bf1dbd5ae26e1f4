/** The part of cli-progress that the bench uses; the package ships no types. */
declare module 'cli-progress' {
  export interface SingleBarOptions {
    readonly stream?: NodeJS.WritableStream;
    /** `{bar}`, `{value}`, `{total}` and the names of the payload are replaced. */
    readonly format?: string;
    readonly barsize?: number;
    readonly hideCursor?: boolean;
    readonly clearOnComplete?: boolean;
    readonly barCompleteChar?: string;
    readonly barIncompleteChar?: string;
  }

  export class SingleBar {
    constructor(options: SingleBarOptions, preset?: object);
    start(total: number, startValue: number, payload?: Readonly<Record<string, string>>): void;
    increment(step: number, payload?: Readonly<Record<string, string>>): void;
    stop(): void;
  }

  export const Presets: { readonly shades_classic: object };
}
