import type { NumberWriter } from '@solegate/doc-numbering';
import { badInput, notFound } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import type { MasterData } from '../master-data/master-data.js';
import { issueRequestOf } from '../numbering/issue/issue-request.js';
import type { IssuedFeed } from '../numbering/issue/issued-feed.js';
import { Correspondence, type CreateCorrespondenceInput } from './correspondence.js';
import type { CorrespondenceStore } from './correspondence-store.js';

const SUBJECT_LENGTH_MAX = 500;
const BODY_LENGTH_MAX = 20_000;

export interface CreateCorrespondenceParts {
  readonly writer: NumberWriter<Correspondence>;
  readonly store: CorrespondenceStore;
  readonly data: MasterData;
  readonly feed: IssuedFeed;
}

/**
 * Creates a document with its key, its number and its ledger row, in one commit. The input is checked first, and the
 * number is issued last. A key that was used before returns the existing document. A new one is not read again: after the
 * commit, nothing may fail as if it had not been created.
 */
export async function createCorrespondence(
  input: CreateCorrespondenceInput,
  caller: Identity,
  { writer, store, data, feed }: CreateCorrespondenceParts,
): Promise<Correspondence> {
  checkText(input);
  const request = await issueRequestOf(input, data, caller);
  const [organization, type, discipline] = await Promise.all([
    data.organizations.get(input.organizationCode),
    data.types.get(input.typeCode),
    typeof input.disciplineCode === 'string' ? data.disciplines.get(input.disciplineCode) : undefined,
  ]);
  const document = Object.assign(new Correspondence(), {
    id: data.mintFor(request.space),
    projectId: BigInt(request.space),
    organizationId: organization.id,
    typeId: type.id,
    disciplineId: discipline?.id ?? null,
    subject: input.subject,
    body: input.body,
    createdBy: caller.subjectId,
  });
  // Each try makes a new document ID, so the content that must be the same on a retry is passed separately.
  const content = JSON.stringify([input.subject, input.body]);
  const id = data.mintFor(request.space);
  const issued = await writer.issue({ ...request, id, document: String(document.id), content }, document);
  feed.publishNew(issued);
  // What is replayed can be this commit, whose reply was lost.
  if (!issued.replayed || issued.id === String(id)) return document;
  const stored = await store.findByNumber(document.projectId, issued.number);
  if (stored !== undefined) return stored;
  throw notFound(
    'NO_DOCUMENT',
    'This idempotency key was already used for a number without a document; use a new key for each document.',
  );
}

function checkText({ subject, body }: CreateCorrespondenceInput): void {
  if (subject.trim() === '' || subject.length > SUBJECT_LENGTH_MAX || subject.includes('\0')) {
    throw badInput('INVALID_SUBJECT', `A subject must have 1 to ${SUBJECT_LENGTH_MAX} characters.`);
  }
  if (body.length > BODY_LENGTH_MAX || body.includes('\0')) {
    throw badInput('INVALID_BODY', `A body can have at most ${BODY_LENGTH_MAX} characters.`);
  }
}
