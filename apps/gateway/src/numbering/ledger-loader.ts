import type { LedgerEntry, Numbering } from '@solegate/doc-numbering';
import DataLoader from 'dataloader';
import type { DocumentNumber } from './document-number.type.js';

export type LedgerLoader = DataLoader<DocumentNumber, LedgerEntry | undefined>;

/** Ledger rows of numbers that were just issued: one question for all that have an ID. */
export function createLedgerLoader(numbering: Numbering): LedgerLoader {
  return new DataLoader(async (numbers) => {
    const ids = numbers.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const found = ids.length > 0 ? await numbering.findNumbersById(ids) : [];
    const byId = new Map(ids.map((id, index) => [id, found[index]]));
    return Promise.all(
      numbers.map(async ({ id, projectId, number }) =>
        id === undefined ? numbering.findNumber({ space: String(projectId), number }) : byId.get(id),
      ),
    );
  });
}
