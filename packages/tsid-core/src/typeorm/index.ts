export {
  type TsidForm,
  TsidKeyMissingError,
  tsidColumn,
  tsidPrimaryColumn,
  tsidTransformer,
} from './tsid-column.js';
export {
  generateTsidKeys,
  initializeWithTsidKeys,
  TsidKeyGenerator,
  type TsidSource,
} from './tsid-key-generator.js';
