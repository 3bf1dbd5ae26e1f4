import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Migration, migrations } from '../migrations.js';

/** Orders these among the migrations of an app; TypeORM reads it off the end of a migration's name. */
const timestampBase = 1_700_000_001_000;

function toMigrationClass({ name, sql }: Migration, index: number): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `Numbering${name.replaceAll(/[^A-Za-z0-9]/g, '')}${timestampBase + index + 1}`;

    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(sql);
    }

    /** A ledger is kept for years: no roll-back throws it away. */
    async down(): Promise<void> {
      throw new Error(
        `${this.name} holds the ledger of issued numbers; drop its tables by hand if you mean it`,
      );
    }
  };
}

/** For `migrations` of a DataSource: one class for each numbered SQL file. */
export const numberingMigrations: readonly (new () => MigrationInterface)[] =
  migrations.map(toMigrationClass);
