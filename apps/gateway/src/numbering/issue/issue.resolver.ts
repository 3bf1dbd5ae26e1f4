import type { IssuedNumber, IssueRequest, Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { notFound } from '../../errors/gateway-error.js';
import { memberOf } from '../../graphql/member.js';
import { RequestContext } from '../../graphql/request-context.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData, MintRowId } from '../../master-data/master-data.js';
import { checkProject } from '../../master-data/project-access.js';
import { DocumentNumber, DocumentNumberReservation } from '../ledger/document-number.type.js';
import {
  CancelDocumentNumberInput,
  ConfirmDocumentNumberInput,
  IssueDocumentNumberInput,
  IssueDocumentNumbersInput,
  ReserveDocumentNumberInput,
} from './issue.inputs.js';
import { orRefusal } from './issue-refusals.type.js';
import { issueRequestOf } from './issue-request.js';
import {
  CancelDocumentNumberResult,
  ConfirmDocumentNumberResult,
  DocumentNumbersIssued,
  IssueDocumentNumberResult,
  IssueDocumentNumbersResult,
  ReserveDocumentNumberResult,
} from './issue-results.type.js';
import type { IssuedFeed } from './issued-feed.js';

/** Issues numbers, and reserves, confirms or cancels them. The actor is the caller. */
@Resolver()
export class IssueResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly rowId: MintRowId,
    private readonly feed: IssuedFeed,
  ) {}

  @Mutation(() => IssueDocumentNumberResult, {
    description: 'Issues the next number of a series: 1, 2, 3 …, without duplicates or gaps.',
  })
  async issueDocumentNumber(
    @Arg('input', () => IssueDocumentNumberInput, { description: 'The series.' })
    input: IssueDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof IssueDocumentNumberResult> {
    const request = await issueRequestOf(input, this.data, identity);
    return orRefusal(
      this.numbering
        .issue({ ...request, ...this.rowId(request.space) })
        .then((issued) => this.#published(issued)),
    );
  }

  @Mutation(() => IssueDocumentNumbersResult, {
    description: 'Issues consecutive numbers of a series in one commit.',
  })
  async issueDocumentNumbers(
    @Arg('input', () => IssueDocumentNumbersInput, { description: 'The series, and how many numbers.' })
    input: IssueDocumentNumbersInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof IssueDocumentNumbersResult> {
    const request = await issueRequestOf(input, this.data, identity);
    return orRefusal(this.#issueMany(request, input.count));
  }

  @Mutation(() => ReserveDocumentNumberResult, {
    description: 'Reserves the next number of a series for a limited time.',
  })
  async reserveDocumentNumber(
    @Arg('input', () => ReserveDocumentNumberInput, {
      description: 'The series, and how long to hold the number.',
    })
    input: ReserveDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReserveDocumentNumberResult> {
    const asked = await issueRequestOf(input, this.data, identity);
    const request = { ...asked, ...this.rowId(asked.space) };
    const { holdMs } = input;
    return orRefusal(
      this.numbering.reserve({ ...request, ...(typeof holdMs === 'number' && { holdMs }) }).then((held) => {
        const documentNumber = new DocumentNumber(held, 'reserved');
        return memberOf(DocumentNumberReservation, { ...held, documentNumber });
      }),
    );
  }

  @Mutation(() => ConfirmDocumentNumberResult, {
    description: 'Turns a reservation into an issued number. Repeating it returns the same number.',
  })
  async confirmDocumentNumber(
    @Arg('input', () => ConfirmDocumentNumberInput, { description: 'The reservation.' }) {
      token,
    }: ConfirmDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    await this.#checkHolder(token, identity);
    const entry = await this.numbering.confirm({ token, actor: String(identity.subjectId) });
    return this.feed.publish(DocumentNumber.ofLedger(entry));
  }

  @Mutation(() => CancelDocumentNumberResult, {
    description:
      'Cancels a reservation; its number stays in the ledger. Repeating it returns the same number.',
  })
  async cancelDocumentNumber(
    @Arg('input', () => CancelDocumentNumberInput, { description: 'The reservation, and the reason.' }) {
      token,
      reason,
    }: CancelDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    await this.#checkHolder(token, identity);
    return DocumentNumber.ofLedger(
      await this.numbering.cancel({ token, reason, actor: String(identity.subjectId) }),
    );
  }

  /** A token alone is no right: its holder might have lost the project, or have it from someone who had it. */
  async #checkHolder(token: string, identity: Identity): Promise<void> {
    const entry = await this.numbering.findNumber({ token });
    if (entry === undefined) throw notFound('NUMBER_NOT_FOUND', 'The ledger has no such reservation.');
    await checkProject(BigInt(entry.space), this.data, identity);
  }

  async #issueMany(request: IssueRequest, count: number): Promise<DocumentNumbersIssued> {
    const issued = await this.numbering.issueMany(request, count);
    const documentNumbers = await Promise.all(issued.map((number) => this.#published(number)));
    return memberOf(DocumentNumbersIssued, { documentNumbers });
  }

  /** A replayed number might have been voided since, so its current state is read from the ledger. */
  async #published(issued: IssuedNumber): Promise<DocumentNumber> {
    if (!issued.replayed) return this.feed.publish(new DocumentNumber(issued, 'issued'));
    const entry = await this.numbering.findNumber({ space: issued.space, number: issued.number });
    if (entry === undefined) throw notFound('NUMBER_NOT_FOUND', 'The ledger has no such number.');
    return DocumentNumber.ofLedger(entry);
  }
}
