import type { SqlSession } from '@solegate/postgres-infra';
import type { IssuedNumber, IssueRequest } from './issue-request.js';

export interface WriterItem<Document> {
  readonly document: Document;
  readonly issued: IssuedNumber;
}

/**
 * Stores the documents of a shared commit through `session`; best in one statement. It may be called again with
 * fewer of the same items when one of them is refused, each time in a fresh transaction or savepoint: it must have
 * no effect beside the session. Statements that end the transaction are forbidden in it.
 */
export type WriteDocuments<Document> = (
  session: SqlSession,
  items: readonly WriterItem<Document>[],
) => Promise<void>;

export interface NumberWriter<Document> {
  /**
   * Document and number in one commit. When the write of this document fails, its error is thrown, its number goes to the
   * next caller, and the other documents of the commit are stored. A replayed key stores no second document.
   */
  issue(request: IssueRequest, document: Document): Promise<IssuedNumber>;
}
