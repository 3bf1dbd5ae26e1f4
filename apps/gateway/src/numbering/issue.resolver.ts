import type { IssuedNumber, Numbering } from '@solegate/doc-numbering';
import { Arg, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import { notFound } from '../errors/gateway-error.js';
import { RequestContext } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { projectOf } from '../master-data/project-access.js';
import { DocumentNumber, DocumentNumberReservation } from './document-number.type.js';
import {
  CancelDocumentNumberInput,
  ConfirmDocumentNumberInput,
  IssueDocumentNumberInput,
  ReserveDocumentNumberInput,
  VoidDocumentNumberInput,
} from './issue.inputs.js';
import type { IssuedFeed } from './issued-feed.js';
import { issueRequestOf } from './series-address.js';

/** What takes a number or changes what became of one. The actor is the caller. */
@Resolver()
export class IssueResolver {
  constructor(
    private readonly numbering: Numbering,
    private readonly data: MasterData,
    private readonly mint: () => bigint,
    private readonly feed: IssuedFeed,
  ) {}

  @Mutation(() => DocumentNumber, {
    description: 'The next number of a series: 1, 2, 3 …, none twice, none missing.',
  })
  async issueDocumentNumber(
    @Arg('input', () => IssueDocumentNumberInput) input: IssueDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    const request = await issueRequestOf(input, this.data, identity);
    return this.#told(await this.numbering.issue({ ...request, id: this.mint() }));
  }

  @Mutation(() => [DocumentNumber], { description: 'Consecutive numbers in one commit: 1 to 1,000.' })
  async issueDocumentNumbers(
    @Arg('input', () => IssueDocumentNumberInput) input: IssueDocumentNumberInput,
    @Arg('count', () => Int) count: number,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber[]> {
    const request = await issueRequestOf(input, this.data, identity);
    const issued = await this.numbering.issueMany(request, count);
    return Promise.all(issued.map((number) => this.#told(number)));
  }

  @Mutation(() => DocumentNumberReservation, { description: 'Holds the next number for a while.' })
  async reserveDocumentNumber(
    @Arg('input', () => ReserveDocumentNumberInput) input: ReserveDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumberReservation> {
    const request = await issueRequestOf(input, this.data, identity);
    const { holdMs } = input;
    const reservation = await this.numbering.reserve({
      ...request,
      id: this.mint(),
      ...(typeof holdMs === 'number' && { holdMs }),
    });
    const held = new DocumentNumber(reservation, 'reserved');
    return new DocumentNumberReservation(held, reservation.token, reservation.expiresAt);
  }

  @Mutation(() => DocumentNumber)
  async confirmDocumentNumber(
    @Arg('input', () => ConfirmDocumentNumberInput) { token }: ConfirmDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    const entry = await this.numbering.confirm({ token, actor: String(identity.subjectId) });
    return this.feed.told(DocumentNumber.ofLedger(entry));
  }

  @Mutation(() => DocumentNumber)
  async cancelDocumentNumber(
    @Arg('input', () => CancelDocumentNumberInput) { token, reason }: CancelDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    return DocumentNumber.ofLedger(
      await this.numbering.cancel({ token, reason, actor: String(identity.subjectId) }),
    );
  }

  @Mutation(() => DocumentNumber)
  async voidDocumentNumber(
    @Arg('input', () => VoidDocumentNumberInput) input: VoidDocumentNumberInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DocumentNumber> {
    const project = await projectOf(input.projectCode, this.data, identity);
    const { voided } = await this.numbering.void({
      space: String(project.id),
      number: input.number,
      reason: input.reason,
      actor: String(identity.subjectId),
      ...(input.replacedBy && { replacedBy: input.replacedBy }),
    });
    return DocumentNumber.ofLedger(voided);
  }

  /** A replayed number may have been voided since, so the ledger is asked what it is now. */
  async #told(issued: IssuedNumber): Promise<DocumentNumber> {
    if (!issued.replayed) return this.feed.told(new DocumentNumber(issued, 'issued'));
    const entry = await this.numbering.findNumber({ space: issued.space, number: issued.number });
    if (entry === undefined) throw notFound('NUMBER_NOT_FOUND', 'The ledger has no such number.');
    return DocumentNumber.ofLedger(entry);
  }
}
