import type { DataSource, EntitySubscriberInterface, InsertEvent } from 'typeorm';
import { tsidTransformer } from './tsid-column.js';

/** Whatever hands out the next ID: a generator of this package, or anything with the same method. */
export interface TsidSource {
  /** The next ID, greater than all before. */
  next(): bigint;
}

/**
 * Gives each entity its primary key before it is inserted, by `save`, `insert` or a query builder, if the key is a
 * `tsidPrimaryColumn` and has no value yet. Works for EntitySchema and for decorated classes alike.
 */
export class TsidKeyGenerator implements EntitySubscriberInterface {
  private readonly source: TsidSource;

  constructor(source: TsidSource) {
    this.source = source;
  }

  /** @throws what the source throws; nothing is inserted then. */
  beforeInsert({ entity, metadata }: InsertEvent<unknown>): void {
    if (typeof entity !== 'object' || entity === null) return;
    for (const column of metadata.primaryColumns) {
      const isMissing = column.getEntityValue(entity) === undefined;
      if (column.transformer === tsidTransformer && isMissing)
        column.setEntityValue(entity, this.source.next());
    }
  }
}

/** Makes every entity of this data source that has a `tsidPrimaryColumn` take its key from the source. */
export function generateTsidKeys(dataSource: DataSource, source: TsidSource): TsidKeyGenerator {
  const generator = new TsidKeyGenerator(source);
  dataSource.subscribers.push(generator);
  return generator;
}
