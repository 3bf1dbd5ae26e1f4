import type { Numbering, NumberWriter, SqlSession, WriterItem } from '@solegate/doc-numbering';
import type { Correspondence } from './correspondence.js';

/** What is stored with the number, which is issued last. */
export type NewCorrespondence = Readonly<Omit<Correspondence, 'documentNumber' | 'createdAt'>>;

/** Inserts all documents of a shared commit in one statement; each array has one element for each document. */
const INSERT_CORRESPONDENCES = `
INSERT INTO correspondences
  (id, project_id, organization_id, type_id, discipline_id, document_number, subject, body, created_by)
SELECT * FROM unnest(
  $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[]
)`;

/** Returns a writer that stores correspondences in the commit that issues their numbers: both or neither. */
export function correspondenceWriter(numbering: Numbering): NumberWriter<NewCorrespondence> {
  return numbering.registerWriter<NewCorrespondence>('correspondences', insertCorrespondences);
}

async function insertCorrespondences(
  session: SqlSession,
  items: readonly WriterItem<NewCorrespondence>[],
): Promise<void> {
  const column = (read: (item: WriterItem<NewCorrespondence>) => bigint | string | null) =>
    items.map((item) => read(item)?.toString());
  await session.query({
    name: 'insert_correspondences',
    text: INSERT_CORRESPONDENCES,
    values: [
      column(({ document }) => document.id),
      column(({ document }) => document.projectId),
      column(({ document }) => document.organizationId),
      column(({ document }) => document.typeId),
      column(({ document }) => document.disciplineId),
      column(({ issued }) => issued.number),
      column(({ document }) => document.subject),
      column(({ document }) => document.body),
      column(({ document }) => document.createdBy),
    ],
  });
}
