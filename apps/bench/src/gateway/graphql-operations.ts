/** The operations of the bench; each text is constant, so that a server parses it once. */

export const ISSUE_NUMBER = `mutation Issue($input: IssueDocumentNumberInput!) {
  issueDocumentNumber(input: $input) { ... on DocumentNumber { number sequence } }
}`;

export const CREATE_CORRESPONDENCE = `mutation Create($input: CreateCorrespondenceInput!) {
  createCorrespondence(input: $input) { ... on Correspondence { documentNumber } }
}`;

export const ACCEPT_TRIP = `mutation Accept($input: AnswerOfferInput!) {
  acceptTrip(input: $input) { __typename }
}`;

/** Registered with the gateway of the bench as a trusted document, so that it can be called by ID. */
export const MINT_IDS = `mutation Mint($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }`;

export const REQUEST_TRIP = `mutation Request($input: RequestTripInput!) { requestTrip(input: $input) { ... on Trip { id offerEpoch } } }`;

export const READ_TRIP = `query Trip($id: TSID!) { trip(id: $id) { id driverId status } }`;

export const READ_LEDGER = `query Ledger($filter: DocumentNumberFilter!, $after: String) {
  documentNumbers(filter: $filter, first: 100, after: $after) {
    edges { node { sequence } }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const READ_COUNTERS = `query Counters($filter: DocumentNumberCounterFilter!) {
  documentNumberCounters(filter: $filter, first: 100) { edges { node { lastNumber } } }
}`;

export const CREATE_CODES = ['Project', 'Organization', 'CorrespondenceType', 'Discipline'].map(
  (type) =>
    `mutation ${type}($input: CodedRowInput!) { create${type}(input: $input) { ... on ${type} { code } } }`,
);

export const SAVE_FORMAT = `mutation Format($input: SaveDocumentNumberFormatInput!) {
  saveDocumentNumberFormat(input: $input) { ... on DocumentNumberFormat { version } }
}`;
