import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { OperationAccess } from '../identity/operation-access.js';
import type { LedgerExport } from '../numbering/ledger/ledger-export.js';
import { type CallerParts, contextOf } from './caller.js';

export interface ExportRouteParts extends CallerParts {
  readonly ledgerExport: LedgerExport;
}

/** Exporting requires the same roles as reading the ledger. */
const EXPORT: OperationAccess = {
  names: ['Query.documentNumbers'],
  name: 'Export.documentNumbers',
  weight: 20,
  counts: [],
};

/**
 * GET /export/document-numbers.csv: the ledger as a file, streamed while it is read, so its length does not matter for
 * memory. If the connection ends before the last line, the file is incomplete.
 */
export function registerExportRoute(app: FastifyInstance, parts: ExportRouteParts): void {
  app.get('/export/document-numbers.csv', async (request, reply) => {
    const context = await contextOf(request, parts);
    await parts.admission.admit(EXPORT, undefined, context, 0);
    const lines = await parts.ledgerExport.csv(request.query as Record<string, unknown>, context.identity);
    reply.raw.once('close', () => {
      parts.report.ended(context, {}, { transport: 'http', durationMs: reply.elapsedTime });
    });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="document-numbers.csv"')
      .send(Readable.from(lines));
  });
}
