import { expect } from '@jest/globals';
import type { Json, TestGateway } from './gateway-fixture.js';

interface Rules {
  readonly rules?: string;
  readonly more?: string;
  readonly template?: string;
}

/** The selection for the result of a mutation that issues numbers. */
export const RESULT = `{ __typename
  ... on DocumentNumber { sequence number status reason }
  ... on Refusal { message }
  ... on NumbersExhausted { limit }
  ... on PeriodClosed { period }
}`;

/** Creates separate series for tests that share a gateway. */
export class SeriesClerk {
  #typeCount = 0;

  constructor(
    private readonly gateway: TestGateway,
    private readonly prefix: string,
  ) {}

  /** Sends a request and fails the test on any error. */
  async ask(query: string, as = 'admin-5'): Promise<Json> {
    const { data, errors } = await this.gateway.ask(query, { as });
    expect(errors).toEqual([]);
    return data;
  }

  /** Creates a document type without a series, and returns its code. */
  async freshType(): Promise<string> {
    this.#typeCount += 1;
    const typeCode = `${this.prefix}${this.#typeCount}`;
    await this.ask(
      `mutation { createCorrespondenceType(input: { code: "${typeCode}", name: "Fresh" }) { ... on CorrespondenceType { id } } }`,
    );
    return typeCode;
  }

  /** Creates a document type with its own series and format, and returns the codes of one of its counters. */
  async freshSeries({ rules = '', more = '', template }: Rules = {}): Promise<string> {
    const typeCode = await this.freshType();
    await this.ask(`mutation { defineDocumentSeries(input: {
      projectCode: "DEMO", typeCode: "${typeCode}", rules: { ${rules} } ${more} }) { ... on DocumentSeries { id } } }`);
    await this.ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
      template: "${template ?? '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}'}" }) { ... on DocumentNumberFormat { version } } }`);
    return `projectCode: "DEMO", organizationCode: "TEAM", typeCode: "${typeCode}", disciplineCode: "STR"`;
  }

  async issue(series: string): Promise<Json> {
    const { issueDocumentNumber } = await this.ask(
      `mutation { issueDocumentNumber(input: { ${series} }) ${RESULT} }`,
    );
    return issueDocumentNumber;
  }
}
