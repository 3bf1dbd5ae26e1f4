export { parseBase62, parseBase62Lenient, toBase62 } from './codec/base62.js';
export { parseBytes, toBytes } from './codec/bytes.js';
export { parseCrockford, parseCrockfordLenient, toCrockford } from './codec/crockford.js';
export { parseDecimal, parseDecimalLenient, toDecimal } from './codec/decimal.js';
export { compose, explain, range, type TsidParts, type TsidRange } from './codec/explain.js';
export { parseHex, parseHexLenient, toHex } from './codec/hex.js';
export {
  defineLayout,
  TSID_41_10_13,
  TSID_42_10_12,
  type TsidLayout,
  type TsidLayoutDefinition,
} from './codec/layout.js';
export {
  ClockMovedBackwardsError,
  ClockStalledError,
  HorizonPassedError,
  InvalidGeneratorOptionsError,
  InvalidLayoutError,
  MalformedTsidError,
  NodeInUseError,
  NodeUnavailableError,
  type NodeUnavailableReason,
  TsidError,
  type TsidErrorCode,
  TsidOutOfRangeError,
} from './codec/tsid-error.js';
export type {
  ClockBackPolicy,
  HorizonWarning,
  LeasedNodeOptions,
  Overflow,
  OverflowPolicy,
  StaticNodeOptions,
  TsidGeneratorOptions,
  TsidObserver,
} from './generator/generator-options.js';
export type { NodeSource, NodeUser, NodeWindow } from './generator/node-source.js';
export { createTsidGenerator, type TsidGenerator } from './generator/tsid-generator.js';
export {
  openSharedTsidGenerator,
  type SharedClockBackPolicy,
  type SharedTsidGenerator,
  type SharedTsidHandle,
} from './threads/shared-generator.js';
export {
  createSharedTsidGenerator,
  type SharedTsidOptions,
  type SharedTsidOwner,
} from './threads/shared-owner.js';
