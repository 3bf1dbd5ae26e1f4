import type { MigrationInterface, QueryRunner } from 'typeorm';
import { refuseDistributedSchema } from '../distributed-schema.js';
import type { Migration } from '../migrate.js';
import { typeormSession } from './typeorm-session.js';

/** A migration as TypeORM takes it. */
export type MigrationClass = new () => MigrationInterface;

export interface MigrationClassOptions {
  /** First part of the names, such as `Numbering`. */
  readonly prefix: string;
  /** Orders these among the migrations of an app; TypeORM reads it off the end of a migration's name. */
  readonly firstTimestamp: number;
  /** What a roll-back would throw away, for its refusal. */
  readonly holds: string;
}

/** For `migrations` of a DataSource: one class for each version. */
export function migrationClasses(
  migrations: readonly Migration[],
  { prefix, firstTimestamp, holds }: MigrationClassOptions,
): readonly MigrationClass[] {
  return migrations.map(
    ({ name, sql }, index) =>
      class implements MigrationInterface {
        readonly name = `${prefix}${name.replaceAll(/[^A-Za-z0-9]/g, '')}${firstTimestamp + index + 1}`;

        async up(queryRunner: QueryRunner): Promise<void> {
          await refuseDistributedSchema(typeormSession(queryRunner));
          await queryRunner.query(sql);
        }

        async down(): Promise<void> {
          throw new Error(`${this.name} ${holds}; drop its tables by hand if that is what you want`);
        }
      },
  );
}
