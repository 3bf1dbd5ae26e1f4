export {
  type TsidForm,
  TsidKeyMissingError,
  tsidColumn,
  tsidPrimaryColumn,
  tsidTransformer,
} from './tsid-column.js';
export {
  checkTsidColumns,
  generateTsidKeys,
  TsidKeyGenerator,
  type TsidSource,
} from './tsid-key-generator.js';
