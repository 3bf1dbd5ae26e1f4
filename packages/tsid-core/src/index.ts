export { parseBase62, parseBase62Lenient, toBase62 } from './base62.js';
export { parseBytes, toBytes } from './bytes.js';
export { parseCrockford, parseCrockfordLenient, toCrockford } from './crockford.js';
export { parseDecimal, parseDecimalLenient, toDecimal } from './decimal.js';
export { compose, explain, range, type TsidParts, type TsidRange } from './explain.js';
export type {
  ClockBackPolicy,
  HorizonWarning,
  LeasedNodeOptions,
  OverflowPolicy,
  StaticNodeOptions,
  TsidGeneratorOptions,
} from './generator-options.js';
export { parseHex, parseHexLenient, toHex } from './hex.js';
export {
  defineLayout,
  TSID_41_10_13,
  TSID_42_10_12,
  type TsidLayout,
  type TsidLayoutDefinition,
} from './layout.js';
export type { NodeSource, NodeUser, NodeWindow } from './node-source.js';
export {
  openSharedTsidGenerator,
  type SharedClockBackPolicy,
  type SharedTsidGenerator,
  type SharedTsidHandle,
} from './shared-generator.js';
export { createSharedTsidGenerator, type SharedTsidOptions, type SharedTsidOwner } from './shared-owner.js';
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
} from './tsid-error.js';
export { createTsidGenerator, type TsidGenerator } from './tsid-generator.js';
