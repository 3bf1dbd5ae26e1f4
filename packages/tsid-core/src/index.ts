/// <reference lib="esnext.disposable" preserve="true" />
import type * as generator from './generator/tsid-generator.js';

export { TsidError } from './codec/any-error.js';
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
  TSID_53,
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
  type TsidErrorCode,
  TsidOutOfRangeError,
} from './codec/tsid-error.js';
export { parseUuidV7, toUuidV7 } from './codec/uuid-v7.js';
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
export { createTsidGenerator } from './generator/tsid-generator.js';

/**
 * Mints IDs; created by {@link createTsidGenerator}. A type without its class: a class with private members is a
 * different type in each module format.
 */
export type TsidGenerator = Pick<generator.TsidGenerator, keyof generator.TsidGenerator>;
