export { createTsidScalar, TsidScalar, type TsidScalarOptions } from './tsid-scalar.js';
