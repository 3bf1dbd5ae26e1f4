import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import { ROLES, type Role } from './identity.js';

/** Who may call an operation, and its rate-limit cost. */
export interface OperationRule {
  readonly roles: readonly Role[];
  /** Points, at least 1. */
  readonly weight: number;
  /** An argument that requests several items at a time, and how many items add one point. */
  readonly counted?: { readonly argument: string; readonly perPoint: number };
}

const EVERYBODY: readonly Role[] = ROLES;
const CLERKS: readonly Role[] = ['clerk', 'admin'];
/** May read numbers and documents; auditors cannot change anything. */
const READERS: readonly Role[] = ['clerk', 'auditor', 'admin'];
const TRAVELLERS: readonly Role[] = ['rider', 'driver', 'admin'];

/**
 * One row for each operation of the schema. A gateway with an operation that has no row does not start. Roles alone do
 * not grant access to a trip: whether it is the caller's own is checked where the trip is read.
 */
export const OPERATION_RULES: Readonly<Record<string, OperationRule>> = {
  'Query.tsid': { roles: EVERYBODY, weight: 1 },
  'Query.overview': { roles: ['admin'], weight: 5 },
  'Query.promises': { roles: EVERYBODY, weight: 1 },
  'Query.nodeFleet': { roles: ['admin'], weight: 5 },
  'Query.documentNumberPreview': { roles: READERS, weight: 1 },
  'Query.documentNumber': { roles: READERS, weight: 1 },
  'Query.documentNumbers': { roles: READERS, weight: 2 },
  'Query.searchDocumentNumbers': { roles: READERS, weight: 3 },
  'Query.documentNumberEvents': { roles: READERS, weight: 2 },
  'Query.documentSeries': { roles: READERS, weight: 1 },
  'Query.documentNumberFormats': { roles: READERS, weight: 1 },
  'Query.documentNumberFormatCheck': { roles: ['admin'], weight: 2 },
  'Query.documentNumberCounters': { roles: READERS, weight: 1 },
  'Query.correspondence': { roles: READERS, weight: 1 },
  'Query.correspondences': { roles: READERS, weight: 2 },
  'Query.project': { roles: READERS, weight: 1 },
  'Query.projects': { roles: READERS, weight: 1 },
  'Query.organizations': { roles: READERS, weight: 1 },
  'Query.correspondenceTypes': { roles: READERS, weight: 1 },
  'Query.disciplines': { roles: READERS, weight: 1 },
  'Query.trip': { roles: TRAVELLERS, weight: 1 },
  'Query.tripHistory': { roles: TRAVELLERS, weight: 1 },
  'Query.tripAttempts': { roles: ['admin'], weight: 2 },
  'Query.tripOfferSteps': { roles: ['admin'], weight: 2 },
  'Query.trips': { roles: TRAVELLERS, weight: 2 },

  'Mutation.generateTsids': {
    roles: EVERYBODY,
    weight: 1,
    counted: { argument: 'count', perPoint: 100 },
  },
  'Mutation.saveDocumentNumberFormat': { roles: ['admin'], weight: 5 },
  'Mutation.saveDefaultDocumentNumberFormat': { roles: ['admin'], weight: 10 },
  'Mutation.issueDocumentNumber': { roles: CLERKS, weight: 2 },
  'Mutation.issueDocumentNumbers': {
    roles: CLERKS,
    weight: 10,
    counted: { argument: 'input.count', perPoint: 100 },
  },
  'Mutation.reserveDocumentNumber': { roles: CLERKS, weight: 2 },
  'Mutation.confirmDocumentNumber': { roles: CLERKS, weight: 2 },
  'Mutation.cancelDocumentNumber': { roles: CLERKS, weight: 2 },
  'Mutation.defineDocumentSeries': { roles: ['admin'], weight: 5 },
  'Mutation.blockDocumentSeries': { roles: ['admin'], weight: 5 },
  'Mutation.unblockDocumentSeries': { roles: ['admin'], weight: 5 },
  'Mutation.withdrawDocumentNumberFormat': { roles: ['admin'], weight: 5 },
  'Mutation.acceptCounterRegression': { roles: ['admin'], weight: 5 },
  'Mutation.assignDocumentNumber': { roles: ['admin'], weight: 5 },
  'Mutation.skipDocumentNumbers': { roles: ['admin'], weight: 10 },
  'Mutation.replaceDocumentNumber': { roles: ['admin'], weight: 5 },
  'Mutation.reconcileDocumentNumbers': { roles: ['admin'], weight: 20 },
  'Mutation.voidDocumentNumber': { roles: ['admin'], weight: 2 },
  'Mutation.importDocumentNumbers': { roles: ['admin'], weight: 20 },
  'Mutation.createCorrespondence': { roles: CLERKS, weight: 2 },
  'Mutation.createProject': { roles: ['admin'], weight: 2 },
  'Mutation.createOrganization': { roles: ['admin'], weight: 2 },
  'Mutation.createCorrespondenceType': { roles: ['admin'], weight: 2 },
  'Mutation.createDiscipline': { roles: ['admin'], weight: 2 },
  'Mutation.renameProject': { roles: ['admin'], weight: 2 },
  'Mutation.renameOrganization': { roles: ['admin'], weight: 2 },
  'Mutation.renameCorrespondenceType': { roles: ['admin'], weight: 2 },
  'Mutation.renameDiscipline': { roles: ['admin'], weight: 2 },
  'Mutation.requestTrip': { roles: ['rider'], weight: 2 },
  'Mutation.broadcastTrip': { roles: ['rider', 'admin'], weight: 2 },
  'Mutation.updateDriverPosition': { roles: ['driver'], weight: 1 },
  'Mutation.acceptTrip': { roles: ['driver'], weight: 1 },
  'Mutation.rejectTrip': { roles: ['driver'], weight: 1 },
  'Mutation.reportArrival': { roles: ['driver'], weight: 2 },
  'Mutation.reportNoShow': { roles: ['driver'], weight: 2 },
  'Mutation.startTrip': { roles: ['driver'], weight: 2 },
  'Mutation.completeTrip': { roles: ['driver'], weight: 2 },
  'Mutation.cancelTrip': { roles: TRAVELLERS, weight: 2 },

  'Subscription.tripUpdated': { roles: TRAVELLERS, weight: 5 },
  'Subscription.tripOffered': { roles: ['driver'], weight: 5 },
  'Subscription.documentNumberIssued': { roles: READERS, weight: 5 },
  'Subscription.documentNumberFacts': { roles: READERS, weight: 5 },
  'Subscription.tripEvents': { roles: ['admin'], weight: 5 },
};

/** Returns operations without a row and rows without an operation; both lists must be empty. */
export function ruleMismatches(
  schema: GraphQLSchema,
  rules: Readonly<Record<string, OperationRule>> = OPERATION_RULES,
): { unruled: string[]; unused: string[] } {
  const operations = Object.values(OperationTypeNode).flatMap((kind) => {
    const root = schema.getRootType(kind);
    return root ? Object.keys(root.getFields()).map((field) => `${root.name}.${field}`) : [];
  });
  return {
    unruled: operations.filter((name) => !(name in rules)),
    unused: Object.keys(rules).filter((name) => !operations.includes(name)),
  };
}
