import type { MigrationInterface, QueryRunner } from 'typeorm';

const CODED = ['projects', 'organizations', 'correspondence_types', 'disciplines'];

const codedTable = (name: string): string => `CREATE TABLE ${name} (
  id bigint PRIMARY KEY,
  code text NOT NULL UNIQUE CHECK (char_length(code) BETWEEN 1 AND 20),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now()
);
`;

const sql = `-- Projects, the codes that appear in document numbers, people, and documents.
-- Keys are TSIDs minted by the gateway. A code never changes, because issued numbers contain it.

${CODED.map(codedTable).join('\n')}
CREATE TABLE people (
  id bigint PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE correspondences (
  id bigint PRIMARY KEY,
  project_id bigint NOT NULL REFERENCES projects (id),
  organization_id bigint NOT NULL REFERENCES organizations (id),
  type_id bigint NOT NULL REFERENCES correspondence_types (id),
  discipline_id bigint REFERENCES disciplines (id),
  document_number text NOT NULL,
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 500),
  body text NOT NULL DEFAULT '',
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT correspondences_number UNIQUE (project_id, document_number)
);

CREATE INDEX correspondences_newest ON correspondences (project_id, id DESC);
`;

/** Creates the gateway's own tables, which do not reference tables of the packages. */
export class MasterData1700000000001 implements MigrationInterface {
  readonly name = 'MasterData1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE correspondences, people, ${CODED.join(', ')}`);
  }
}

/** Adds the cell of a project's numbers, if not the first one. Set when a project is created and never changed. */
export class ProjectCell1700000000002 implements MigrationInterface {
  readonly name = 'ProjectCell1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN cell text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects DROP COLUMN cell');
  }
}
