export {
  createTsidNumberScalar,
  createTsidScalar,
  TsidNumberScalar,
  TsidScalar,
  type TsidScalarOptions,
} from './tsid-scalar.js';
