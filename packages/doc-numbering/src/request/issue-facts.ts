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
  /** Digest of what the caller said; to distinguish it from another request under the same key. */
  readonly fingerprint: string | undefined;
  /** Of a writer: the digest without document and content, as ledgers have it whose writers did not look at these. */
  readonly looseFingerprint: string | undefined;
  readonly reservation: { readonly token: string; readonly holdMs: number } | undefined;
}

export interface FactsOptions {
  readonly count: number;
  readonly reservation?: { readonly token: string; readonly holdMs: number };
  /** A writer stores a document with the number. */
  readonly hasDocument: boolean;
  /** That document. */
  readonly document?: unknown;
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
    fingerprint: key === undefined ? undefined : fingerprintOf(request, options, contentOf(request, options)),
    looseFingerprint:
      key === undefined || !options.hasDocument ? undefined : fingerprintOf(request, options, null),
    reservation: options.reservation,
  };
}

/**
 * What the caller said, whoever says it: a repeat has the same digest. The date counts only when it was given as a date,
 * because "now" is another instant at each repeat; the reference of a document that a writer stores does not, because an
 * app may make it anew for each try.
 */
function fingerprintOf(
  request: IssueRequest,
  { count, reservation, hasDocument }: FactsOptions,
  content: string | null,
): string {
  const said = {
    space: request.space,
    series: request.series,
    dimensions: sorted(request.dimensions),
    fields: sorted(request.fields),
    date: typeof request.date === 'string' ? request.date : null,
    document: hasDocument ? null : (request.document ?? null),
    content,
    count,
    holdMs: reservation?.holdMs ?? null,
  };
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

/** Whether the ledger row of a key was asked for by the same request. */
export function isSameRequest(
  { fingerprint, looseFingerprint }: IssueFacts,
  stored: string | null | undefined,
): boolean {
  return stored === fingerprint || (looseFingerprint !== undefined && stored === looseFingerprint);
}

/** What must be the same besides: as the caller says, else a writer's document; `null` where that is no data. */
function contentOf({ content }: IssueRequest, { hasDocument, document }: FactsOptions): string | null {
  if (content !== undefined || !hasDocument) return content ?? null;
  try {
    return JSON.stringify(document, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch {
    return null;
  }
}

const sorted = (codes: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1));
