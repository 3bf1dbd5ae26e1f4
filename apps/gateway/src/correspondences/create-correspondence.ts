import type { NumberWriter } from '@solegate/doc-numbering';
import { badInput, notFound } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import type { MasterData } from '../master-data/master-data.js';
import { issueRequestOf } from '../numbering/issue/issue-request.js';
import type { CreateCorrespondenceInput } from './correspondence.inputs.js';
import type { Correspondence } from './correspondence.js';
import type { CorrespondenceStore } from './correspondence-store.js';
import type { NewCorrespondence } from './correspondence-writer.js';

const SUBJECT_LENGTH_MAX = 500;
const BODY_LENGTH_MAX = 20_000;

export interface CreateCorrespondenceParts {
  readonly writer: NumberWriter<NewCorrespondence>;
  readonly store: CorrespondenceStore;
  readonly data: MasterData;
  /** The next ID of what is stored with the numbers of a space. */
  readonly mint: (space: string) => bigint;
}

/**
 * A document with its key, its number and its ledger row, in one commit. The input is judged first, the number is drawn
 * last. A key that was used before gives the document of then.
 */
export async function createCorrespondence(
  input: CreateCorrespondenceInput,
  caller: Identity,
  { writer, store, data, mint }: CreateCorrespondenceParts,
): Promise<Correspondence> {
  checkText(input);
  const request = await issueRequestOf(input, data, caller);
  const [organization, type, discipline] = await Promise.all([
    data.organizations.get(input.organizationCode),
    data.types.get(input.typeCode),
    data.disciplines.get(input.disciplineCode),
  ]);
  const document: NewCorrespondence = {
    id: mint(request.space),
    projectId: BigInt(request.space),
    organizationId: organization.id,
    typeId: type.id,
    disciplineId: discipline.id,
    subject: input.subject,
    body: input.body,
    createdBy: caller.subjectId,
  };
  // The document's own ID is made anew for each try, so what must be the same at a repeat is said beside it.
  const content = JSON.stringify([input.subject, input.body]);
  const issued = await writer.issue(
    { ...request, id: mint(request.space), document: String(document.id), content },
    document,
  );
  const stored = issued.replayed
    ? await store.findByNumber(document.projectId, issued.number)
    : await store.find(document.id);
  if (stored !== undefined) return stored;
  throw notFound(
    'NO_DOCUMENT',
    'This idempotency key took a number without a document before; use a key of its own for each document.',
  );
}

function checkText({ subject, body }: CreateCorrespondenceInput): void {
  if (subject.trim() === '' || subject.length > SUBJECT_LENGTH_MAX || subject.includes('\0')) {
    throw badInput('INVALID_SUBJECT', `A subject has 1 to ${SUBJECT_LENGTH_MAX} characters.`);
  }
  if (body.length > BODY_LENGTH_MAX || body.includes('\0')) {
    throw badInput('INVALID_BODY', `A body has at most ${BODY_LENGTH_MAX} characters.`);
  }
}
