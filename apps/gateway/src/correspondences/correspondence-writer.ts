import type { Numbering, NumberWriter, SqlSession, WriterItem } from '@solegate/doc-numbering';
import { postgresFailureIn } from '@solegate/postgres-infra';
import { unavailable } from '../errors/gateway-error.js';
import type { Correspondence } from './correspondence.js';

/** Inserts all documents of a shared commit in one statement; each array has one element for each document. */
const INSERT_CORRESPONDENCES = `
INSERT INTO correspondences
  (id, project_id, organization_id, type_id, discipline_id, document_number, subject, body, created_by)
SELECT * FROM unnest(
  $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[]
)
RETURNING created_at`;

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Returns a writer that stores correspondences in the commit that issues their numbers: both or neither. Like TypeORM, it
 * gives a document that it stores what only the commit decides: its number and its time.
 */
export function correspondenceWriter(numbering: Numbering): NumberWriter<Correspondence> {
  return numbering.registerWriter<Correspondence>('correspondences', insertCorrespondences);
}

async function insertCorrespondences(
  session: SqlSession,
  items: readonly WriterItem<Correspondence>[],
): Promise<void> {
  for (const { document, issued } of items) document.documentNumber = issued.number;
  const column = (read: (document: Correspondence) => bigint | string | null) =>
    items.map(({ document }) => read(document)?.toString());
  const inserting = session.query({
    name: 'insert_correspondences',
    text: INSERT_CORRESPONDENCES,
    values: [
      column(({ id }) => id),
      column(({ projectId }) => projectId),
      column(({ organizationId }) => organizationId),
      column(({ typeId }) => typeId),
      column(({ disciplineId }) => disciplineId),
      column(({ documentNumber }) => documentNumber),
      column(({ subject }) => subject),
      column(({ body }) => body),
      column(({ createdBy }) => createdBy),
    ],
  });
  const { rows } = await inserting.catch((error: unknown) => {
    if (postgresFailureIn(error)?.sqlState !== FOREIGN_KEY_VIOLATION) throw error;
    // Master data is never removed: a missing row was created while this cell was away or moved.
    const whatToDo =
      'The database of this project lacks one of the codes so far. Nothing was done; try again.';
    throw unavailable('STORE_UNAVAILABLE', whatToDo, 1_000);
  });
  // That of the transaction, the same for all.
  const [{ created_at: createdAt }] = rows as [{ readonly created_at: Date }];
  for (const { document } of items) document.createdAt = createdAt;
}
