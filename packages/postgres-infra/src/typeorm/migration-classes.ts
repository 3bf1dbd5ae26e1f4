import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseDistributedSchema } from '../migrations/distributed-schema.js';
import { lockTables } from '../migrations/lock-tables.js';
import type { Migration } from '../migrations/migrate.js';
import { runnerSession } from '../sessions/typeorm.js';

/** A migration class, as accepted by TypeORM. */
export type MigrationClass = new () => MigrationInterface;

export interface MigrationClassOptions {
  /** Prefix of the names, such as `Numbering`. */
  readonly prefix: string;
  /** Orders these among the app's migrations; TypeORM reads it from the end of a migration's name. */
  readonly firstTimestamp: number;
  /** What a rollback would delete, for its error message. */
  readonly holds: string;
  /**
   * Tables that running programs use, in the order in which they lock them. A migration that does not get them within
   * half a second fails (55P03 or 57014) and can be run again.
   */
  readonly lockOrder?: readonly string[];
}

/** Creates one class per version, for the `migrations` of a DataSource. */
export function migrationClasses(
  migrations: readonly Migration[],
  { prefix, firstTimestamp, holds, lockOrder = [] }: MigrationClassOptions,
): readonly MigrationClass[] {
  return migrations.map(
    ({ name, sql }, index) =>
      class implements MigrationInterface {
        readonly name = `${prefix}${name.replaceAll(/[^A-Za-z0-9]/g, '')}${firstTimestamp + index + 1}`;

        async up(queryRunner: QueryRunner): Promise<void> {
          const session = runnerSession(queryRunner);
          await refuseDistributedSchema(session);
          await lockTables(session, lockOrder);
          await queryRunner.query(sql);
        }

        async down(): Promise<void> {
          throw new Error(`${this.name} ${holds}; drop its tables by hand if that is what you want`);
        }
      },
  );
}
