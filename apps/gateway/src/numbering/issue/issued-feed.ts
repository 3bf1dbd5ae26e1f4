import type { IssuedNumber } from '@solegate/doc-numbering';
import type { PubSub } from '@solegate/redis-infra';
import type { Logger } from 'pino';
import { DocumentNumber } from '../ledger/document-number.type.js';

const CHANNEL_PREFIX = 'document_numbers_issued';

export function issuedChannel(projectId: bigint | undefined): string {
  return projectId === undefined ? CHANNEL_PREFIX : `${CHANNEL_PREFIX}:${projectId}`;
}

/** Writes IDs as decimal strings, and omits the ledger entry. */
function writeNotice(numbers: readonly DocumentNumber[]): string {
  return JSON.stringify(
    numbers.map(({ entry: _entry, ...fields }) => fields),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
}

/** @throws SyntaxError if the payload is not JSON */
export function readNotice(payload: string): DocumentNumber[] {
  const notices: (Omit<DocumentNumber, 'id' | 'projectId' | 'entry'> & { id?: string; projectId: string })[] =
    JSON.parse(payload);
  return notices.map(({ id, projectId, ...fields }) =>
    Object.assign(Object.create(DocumentNumber.prototype), {
      ...fields,
      id: id === undefined ? undefined : BigInt(id),
      projectId: BigInt(projectId),
    }),
  );
}

/**
 * Publishes issued numbers to subscribers, after their commit and at most once: clients that must not miss any read the
 * ledger. All numbers of one turn of the event loop are sent together, so a burst costs Redis a handful of messages.
 */
export class IssuedFeed {
  readonly #waiting = new Map<bigint, DocumentNumber[]>();

  constructor(
    private readonly pubSub: PubSub,
    private readonly logger: Logger,
  ) {}

  /** Returns an issued number, and publishes it unless it is replayed: that one was when it was issued. */
  publishNew(issued: IssuedNumber): DocumentNumber {
    const number = new DocumentNumber(issued);
    return issued.replayed ? number : this.publish(number);
  }

  /** Queues the number and returns it, without waiting for Redis. */
  publish(issued: DocumentNumber): DocumentNumber {
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    const numbers = this.#waiting.get(issued.projectId);
    if (numbers) numbers.push(issued);
    else this.#waiting.set(issued.projectId, [issued]);
    return issued;
  }

  #flush(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [projectId, numbers] of waiting) {
      const payload = writeNotice(numbers);
      for (const channel of [issuedChannel(projectId), issuedChannel(undefined)]) {
        this.pubSub.publish(channel, payload).catch((error: unknown) => {
          this.logger.debug({ err: error }, 'issued numbers were not published');
        });
      }
    }
  }
}
