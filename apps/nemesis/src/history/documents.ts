import { answered, type History } from './history.js';
import { reported, rowsByNumber } from './numbers.js';
import type { Rules } from './rule.js';

export const DOCUMENT_RULES = {
  'a lost document': { promise: 'A document that was reported is stored.', find: lostDocuments },
  'a document without its number': {
    promise: 'A document is committed with its number.',
    find: documentsAlone,
  },
  'a number without its document': {
    promise: 'A number of a document is committed with it.',
    find: numbersAlone,
  },
  'a lost import': { promise: 'An import that was reported is in the ledger.', find: lostImports },
  'half an import': { promise: 'An import stores all rows or none.', find: halfImports },
} satisfies Rules;

function* lostDocuments(history: History): Iterable<string> {
  const stored = new Set(history.documents.map(({ id, number }) => `${id} ${number}`));
  for (const { number, documentId } of reported(history)) {
    if (documentId !== undefined && !stored.has(`${documentId} ${number}`)) yield `${number}: ${documentId}`;
  }
}

function* documentsAlone(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const { id, number } of history.documents) {
    const row = rows.get(number);
    // A number that is not stored at all is lost.
    if (row !== undefined && row.documentId !== id) yield `${id}: ${number} is of ${row.documentId}`;
  }
}

function* numbersAlone({ ledger, documents, calls }: History): Iterable<string> {
  const stored = new Set(documents.map(({ id }) => id));
  const acknowledged = new Set(reportedDocuments(calls));
  for (const { number, documentId } of ledger) {
    if (documentId !== null && !stored.has(documentId) && !acknowledged.has(documentId)) {
      yield `${number}: no document ${documentId}`;
    }
  }
}

function reportedDocuments(calls: History['calls']): string[] {
  return answered({ calls }, 'numbers').flatMap(({ answer }) =>
    answer.flatMap((given) => given.documentId ?? []),
  );
}

function* lostImports(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const { numbers, answer: isStored } of answered(history, 'import')) {
    const missing = numbers.filter((number) => rows.get(number)?.status !== 'imported');
    if (isStored && missing.length === numbers.length) yield `${numbers[0]} to ${numbers.at(-1)}`;
  }
}

function* halfImports(history: History): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const call of history.calls) {
    if (call.asked !== 'import') continue;
    const stored = call.numbers.filter((number) => rows.get(number)?.status === 'imported');
    if (stored.length > 0 && stored.length < call.numbers.length) {
      yield `${stored.length} of ${call.numbers.length} rows from ${call.numbers[0]}`;
    }
  }
}
