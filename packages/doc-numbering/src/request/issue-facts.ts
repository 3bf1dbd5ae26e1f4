import { createHash } from 'node:crypto';
import { checkId, checkOptionalText, checkText } from '../contract/check-request.js';
import type { IssueRequest } from '../contract/issue-request.js';

/** What a request adds to its resolved part, checked. */
export interface IssueFacts {
  readonly actor: string;
  readonly document: string | undefined;
  readonly reason: string | undefined;
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** Digest of what the caller said; told apart from another request under the same key. */
  readonly fingerprint: string | undefined;
  readonly reservation: { readonly token: string; readonly holdMs: number } | undefined;
}

export interface FactsOptions {
  readonly count: number;
  readonly reservation?: { readonly token: string; readonly holdMs: number };
  /** A writer stores a document with the number. */
  readonly hasDocument: boolean;
}

/** Checks what a request adds to the ledger. @throws InvalidRequestError */
export function toIssueFacts(request: IssueRequest, options: FactsOptions): IssueFacts {
  const key = checkOptionalText('key', request.key, 200);
  return {
    actor: checkText('actor', request.actor, 200),
    document: checkOptionalText('document', request.document, 200),
    reason: checkOptionalText('reason', request.reason, 1000),
    id: checkId('id', request.id),
    key,
    fingerprint: key === undefined ? undefined : fingerprintOf(request, options),
    reservation: options.reservation,
  };
}

/**
 * What the caller said, whoever says it: a repeat has the same digest. The date counts only when it was given as a date,
 * because "now" is another instant at each repeat; the reference of a document that a writer stores does not, because an
 * app may make it anew for each try.
 */
function fingerprintOf(request: IssueRequest, { count, reservation, hasDocument }: FactsOptions): string {
  const said = {
    space: request.space,
    series: request.series,
    dimensions: sorted(request.dimensions),
    fields: sorted(request.fields),
    date: typeof request.date === 'string' ? request.date : null,
    document: hasDocument ? null : (request.document ?? null),
    content: request.content ?? null,
    count,
    holdMs: reservation?.holdMs ?? null,
  };
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

const sorted = (codes: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1));
