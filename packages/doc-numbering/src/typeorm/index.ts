export {
  CounterEntity,
  type CounterRecord,
  EventEntity,
  type EventRecord,
  FormatEntity,
  type FormatRecord,
  NumberEntity,
  type NumberRecord,
  SeriesEntity,
  type SeriesRecord,
} from './numbering-entities.js';
export { numberingMigrations } from './numbering-migrations.js';
