import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { tooManyBytes } from '../budget/held-bytes.js';
import { clientLeft } from '../errors/gateway-error.js';
import { atExpiry } from '../identity/identity.js';
import type { OperationAccess } from '../identity/operation-access.js';
import type { LedgerExport } from '../numbering/ledger/ledger-export.js';
import { type CallerParts, contextOf } from './caller.js';
import type { EventStreams } from './event-stream.js';
import { eachInPieces, unreadOf, whenOver } from './response-budget.js';

export interface ExportRouteParts extends CallerParts {
  readonly ledgerExport: LedgerExport;
  readonly streams: EventStreams;
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
 * memory. If the connection ends before the last line, the file is incomplete: its client read nothing for too long, its
 * token expired, or the gateway stopped. An export takes one of its caller's places for streams.
 */
export function registerExportRoute(app: FastifyInstance, parts: ExportRouteParts): void {
  const { held, streams } = parts;
  // Without HEAD, which would read the ledger for nobody.
  app.get('/export/document-numbers.csv', { exposeHeadRoute: false }, async (request, reply) => {
    const { socket } = request.raw;
    const context = await contextOf(request, parts);
    if (!held.hasRoom(request.ip)) throw tooManyBytes();
    await parts.admission.admit(EXPORT, undefined, context, 0);
    const { identity } = context;
    const lines = await parts.ledgerExport.csv(request.query as Record<string, unknown>, identity);
    if (socket.destroyed) throw clientLeft();
    streams.takePlace(identity);
    const expiry = atExpiry(identity, Date.now(), () => socket.destroy());
    whenOver(reply, () => {
      clearTimeout(expiry);
      streams.giveBack(identity);
      parts.report.ended(context, {}, { transport: 'http', durationMs: reply.elapsedTime });
    });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="document-numbers.csv"')
      .send(Readable.from(eachInPieces(lines, unreadOf(reply, held))));
  });
}
