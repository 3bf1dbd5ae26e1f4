import { answered, type History } from './history.js';
import { reported, rowsByNumber } from './numbers.js';
import { rule } from './rule.js';

export const DOCUMENT_RULES = {
  'a lost document': rule('A document that was reported is stored.', function* (history) {
    const stored = new Set(history.documents.map(({ id, number }) => `${id} ${number}`));
    for (const { number, documentId } of reported(history)) {
      if (documentId !== undefined && !stored.has(`${documentId} ${number}`))
        yield `${number}: ${documentId}`;
    }
  }),

  'a document without its number': rule('A document is committed with its number.', function* (history) {
    const rows = rowsByNumber(history);
    for (const { id, number } of history.documents) {
      const row = rows.get(number);
      // A number that is not stored at all is lost.
      if (row !== undefined && row.documentId !== id) yield `${id}: ${number} is of ${row.documentId}`;
    }
  }),

  'a number without its document': rule(
    'A number of a document is committed with it.',
    function* ({ ledger, documents, calls }) {
      const stored = new Set(documents.map(({ id }) => id));
      const acknowledged = new Set(reportedDocuments(calls));
      for (const { number, documentId } of ledger) {
        if (documentId !== null && !stored.has(documentId) && !acknowledged.has(documentId)) {
          yield `${number}: no document ${documentId}`;
        }
      }
    },
  ),

  'a lost import': rule('An import that was reported is in the ledger.', function* (history) {
    const rows = rowsByNumber(history);
    for (const { numbers, answer: isStored } of answered(history, 'import')) {
      const missing = numbers.filter((number) => rows.get(number)?.status !== 'imported');
      if (isStored && missing.length === numbers.length) yield `${numbers[0]} to ${numbers.at(-1)}`;
    }
  }),

  'half an import': rule('An import stores all rows or none.', function* (history) {
    const rows = rowsByNumber(history);
    for (const call of history.calls) {
      if (call.asked !== 'import') continue;
      const stored = call.numbers.filter((number) => rows.get(number)?.status === 'imported');
      if (stored.length > 0 && stored.length < call.numbers.length) {
        yield `${stored.length} of ${call.numbers.length} rows from ${call.numbers[0]}`;
      }
    }
  }),
};

function reportedDocuments(calls: History['calls']): string[] {
  return answered({ calls }, 'numbers').flatMap(({ answer }) =>
    answer.flatMap((given) => given.documentId ?? []),
  );
}
