import type { Deadline } from '@solegate/postgres-infra';
import type { Guard, NumberStatus } from './issue-request.js';
import type { ResolvedRequest } from './resolved-request.js';

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

/** Numbers that were drawn for one request, or found under its key: consecutive, of one counter. */
export interface DrawnNumbers {
  readonly counterId: string;
  readonly first: number;
  readonly numbers: readonly string[];
  readonly period: string;
  readonly date: string;
  readonly formatVersion: number;
  readonly id: string | undefined;
  readonly replayed: boolean;
  readonly status: NumberStatus;
  readonly guard: Guard;
  readonly waitedMs: number;
  readonly retryCount: number;
  readonly reservation: { readonly token: string; readonly expiresMs: number } | undefined;
}

/** Name of the writer whose documents share the commit, with this request's document. */
export interface AttachedDocument {
  readonly writer: string;
  readonly document: unknown;
}

/** A request that waits for its numbers. */
export interface PendingIssue {
  /** May be replaced while it waits, when the rules of its series have changed. */
  resolved: ResolvedRequest;
  readonly facts: IssueFacts;
  readonly count: number;
  readonly attached: AttachedDocument | undefined;
  readonly arrivedMs: number;
  readonly deadline: Deadline;
  /** Resolves the same request by the rules of now, on the date it was asked for. */
  resolveAgain(): Promise<ResolvedRequest>;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
}
