/** flake-idgen ships no types. */
declare module 'flake-idgen' {
  // biome-ignore lint/style/noDefaultExport: the shape of flake-idgen
  export default class FlakeId {
    constructor(options: { readonly id: number; readonly epoch: number });
    next(): Buffer;
  }
}
