export type {
  ClockBackPolicy,
  HorizonWarning,
  LeasedNodeOptions,
  OverflowPolicy,
  StaticNodeOptions,
  TsidGeneratorOptions,
} from './generator-options.js';
export {
  defineLayout,
  TSID_41_10_13,
  TSID_42_10_12,
  type TsidLayout,
  type TsidLayoutDefinition,
} from './layout.js';
export type { NodeSource, NodeUser, NodeWindow } from './node-source.js';
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
