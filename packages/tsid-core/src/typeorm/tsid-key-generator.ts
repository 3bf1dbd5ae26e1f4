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

  /** @throws InvalidGeneratorOptionsError for anything but a source, as what was not injected */
  constructor(source: TsidSource) {
    if (typeof (source as TsidSource | undefined)?.next !== 'function') {
      throw new InvalidGeneratorOptionsError(
        'TSID keys need a generator: pass what createTsidGenerator returns.',
      );
    }
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
 * @throws InvalidGeneratorOptionsError before `dataSource.initialize()`, which would drop the subscriber; without a source
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
 * Does what `dataSource.initialize()` and {@link generateTsidKeys} do, and fails if a `tsidPrimaryColumn` is left without a
 * generator: TypeORM offers no hook with which `initialize()` itself could.
 * @param source undefined if the data source has no such column
 * @throws TsidKeyMissingError that names the columns; the data source is destroyed. InvalidGeneratorOptionsError for
 *   what is no source, before anything is sent
 */
export async function initializeWithTsidKeys<Source extends DataSource>(
  dataSource: Source,
  source: TsidSource | undefined,
): Promise<Source> {
  const generator = source === undefined ? undefined : new TsidKeyGenerator(source);
  await dataSource.initialize();
  if (generator) dataSource.subscribers.push(generator);
  const columns = generator ? [] : keyColumnsOf(dataSource);
  if (columns.length === 0) return dataSource;
  await dataSource.destroy();
  throw new TsidKeyMissingError(columns);
}

const keyColumnsOf = ({ entityMetadatas }: DataSource): string[] =>
  entityMetadatas.flatMap(({ name, primaryColumns }) =>
    primaryColumns
      .filter(({ transformer }) => keyFormOf(transformer) !== undefined)
      .map(({ propertyName }) => `${name}.${propertyName}`),
  );
