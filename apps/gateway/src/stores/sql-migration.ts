import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A numbered SQL file of a package. */
export interface SqlFile {
  readonly name: string;
  readonly sql: string;
}

type MigrationClass = new () => MigrationInterface;

/**
 * TypeORM's form of numbered SQL files. TypeORM orders migrations by the time in their name; the files of one package
 * follow each other, and packages do not refer to each other's tables.
 *
 * @param firstMs the time that stands for the package's first file, 13 digits
 */
export function sqlMigrations(prefix: string, files: readonly SqlFile[], firstMs: number): MigrationClass[] {
  return files.map(({ sql }, index) => {
    return class implements MigrationInterface {
      readonly name = `${prefix}${firstMs + index}`;

      async up(runner: QueryRunner): Promise<void> {
        await runner.query(sql);
      }

      async down(): Promise<void> {
        throw new Error('numbers that were issued are never taken back: restore a backup instead');
      }
    };
  });
}
