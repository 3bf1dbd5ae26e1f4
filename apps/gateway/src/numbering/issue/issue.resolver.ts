import type { IssueRequest, Numbering } from '@solegate/doc-numbering';
import { Ctx, Resolver } from 'type-graphql';
import { notFound } from '../../errors/gateway-error.js';
import { Arg } from '../../graphql/described.js';
import { given } from '../../graphql/given.js';
import { RequestContext } from '../../graphql/request-context.js';
import { memberOf, SoleMutation } from '../../graphql/results.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { checkProject } from '../../master-data/project-access.js';
import {
  DocumentNumber,
  DocumentNumberReservation,
  DocumentNumbersIssued,
} from '../ledger/document-number.type.js';
import {
  CancelDocumentNumberInput,
  ConfirmDocumentNumberInput,
  IssueDocumentNumberInput,
  IssueDocumentNumbersInput,
  ReserveDocumentNumberInput,
} from './issue.inputs.js';
import { NumberMutation, orRefusal, type Refused } from './issue-refusals.type.js';
import { issueRequestOf } from './issue-request.js';
import type { IssuedFeed } from './issued-feed.js';

/** Issues numbers, and reserves, confirms or cancels them. The actor is the caller. */
@Resolver()
export class IssueResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly feed: IssuedFeed,
  ) {}

  @NumberMutation(
    () => DocumentNumber,
    'Issues the next number of a series: 1, 2, 3 …, without duplicates or gaps.',
    'The number, or why none was issued.',
  )
  async issueDocumentNumber(
    @Arg('input', () => IssueDocumentNumberInput, 'The series.') input: IssueDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber | Refused> {
    const request = await issueRequestOf(input, this.data, identity);
    return orRefusal(
      this.numbering
        .issue({ ...request, ...this.data.mintRowId(request.space) })
        .then((issued) => this.feed.publishNew(issued)),
    );
  }

  @NumberMutation(
    () => DocumentNumbersIssued,
    'Issues consecutive numbers of a series in one commit.',
    'All numbers, or why none were issued.',
  )
  async issueDocumentNumbers(
    @Arg('input', () => IssueDocumentNumbersInput, 'The series, and how many numbers.')
    input: IssueDocumentNumbersInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumbersIssued | Refused> {
    const request = await issueRequestOf(input, this.data, identity);
    return orRefusal(this.#issueMany(request, input.count));
  }

  @NumberMutation(
    () => DocumentNumberReservation,
    'Reserves the next number of a series for a limited time.',
    'The reservation, or why no number was reserved.',
  )
  async reserveDocumentNumber(
    @Arg('input', () => ReserveDocumentNumberInput, 'The series, and how long to hold the number.')
    input: ReserveDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberReservation | Refused> {
    const asked = await issueRequestOf(input, this.data, identity);
    const request = { ...asked, ...this.data.mintRowId(asked.space) };
    return orRefusal(
      this.numbering.reserve({ ...request, ...given({ holdMs: input.holdMs }) }).then((held) => {
        return memberOf(DocumentNumberReservation, { ...held, documentNumber: new DocumentNumber(held) });
      }),
    );
  }

  @SoleMutation(
    () => DocumentNumber,
    'Turns a reservation into an issued number. Repeating it returns the same number.',
    'The issued number.',
  )
  async confirmDocumentNumber(
    @Arg('input', () => ConfirmDocumentNumberInput, 'The reservation.') { token }: ConfirmDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    await this.#checkHolder(token, identity);
    const { replayed, ...entry } = await this.numbering.confirm({ token, actor: String(identity.subjectId) });
    const number = DocumentNumber.ofLedger(entry);
    return replayed ? number : this.feed.publish(number);
  }

  @SoleMutation(
    () => DocumentNumber,
    'Cancels a reservation; its number stays in the ledger. Repeating it returns the same number.',
    'The cancelled number.',
  )
  async cancelDocumentNumber(
    @Arg('input', () => CancelDocumentNumberInput, 'The reservation, and the reason.') {
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
    return memberOf(DocumentNumbersIssued, {
      documentNumbers: issued.map((number) => this.feed.publishNew(number)),
    });
  }
}
