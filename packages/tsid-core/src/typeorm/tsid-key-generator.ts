import type { DataSource, EntitySubscriberInterface, InsertEvent } from 'typeorm';
import { InvalidGeneratorOptionsError } from '../codec/tsid-error.js';
import { inForm, keyFormOf, TsidKeyMissingError } from './tsid-column.js';

/** A source of IDs: a generator of this package, or anything with the same method. */
export interface TsidSource {
  /** Returns the next ID, greater than all before it. */
  next(): bigint;
}

/**
 * Sets the primary key of each entity before it is inserted, by `save`, `insert` or a query builder, if the key is a
 * `tsidPrimaryColumn` without a value, or null. Works for EntitySchema and decorated classes alike.
 */
export class TsidKeyGenerator implements EntitySubscriberInterface {
  private readonly source: TsidSource;

  constructor(source: TsidSource) {
    this.source = source;
  }

  /** @throws whatever the source throws; nothing is inserted then. */
  beforeInsert({ entity, metadata }: InsertEvent<unknown>): void {
    if (typeof entity !== 'object' || entity === null) return;
    for (const column of metadata.primaryColumns) {
      const form = keyFormOf(column.transformer);
      const isMissing = (column.getEntityValue(entity) ?? undefined) === undefined;
      if (form !== undefined && isMissing) column.setEntityValue(entity, inForm(this.source.next(), form));
    }
  }
}

/**
 * Makes each entity of this data source with a `tsidPrimaryColumn` get its key from `source`. Until it is called, an insert
 * without a key fails with TsidKeyMissingError.
 * @throws InvalidGeneratorOptionsError before `dataSource.initialize()`, which would drop the subscriber.
 */
export function generateTsidKeys(dataSource: DataSource, source: TsidSource): TsidKeyGenerator {
  if (!dataSource.isInitialized) {
    throw new InvalidGeneratorOptionsError(
      'Call generateTsidKeys after dataSource.initialize(), which drops subscribers.',
    );
  }
  const generator = new TsidKeyGenerator(source);
  dataSource.subscribers.push(generator);
  return generator;
}

/**
 * Checks that each `tsidPrimaryColumn` of this data source has its generator. Call it when everything is set up:
 * TypeORM offers no hook for a package while it reads the entities, so the earliest moment is after `initialize()`.
 * @throws TsidKeyMissingError that names the columns.
 */
export function checkTsidColumns({ entityMetadatas, subscribers }: DataSource): void {
  if (subscribers.some((subscriber) => subscriber instanceof TsidKeyGenerator)) return;
  const keys = entityMetadatas.flatMap(({ name, primaryColumns }) =>
    primaryColumns
      .filter(({ transformer }) => keyFormOf(transformer) !== undefined)
      .map(({ propertyName }) => `${name}.${propertyName}`),
  );
  if (keys.length > 0) throw new TsidKeyMissingError(keys);
}
