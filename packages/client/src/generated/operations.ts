// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.
import type { CallOptions, Operation, SubscribeOptions } from '../contract/operation.js';
import type {
  AcceptCounterRegressionMutation,
  AcceptCounterRegressionMutationVariables,
  AcceptTripMutation,
  AcceptTripMutationVariables,
  AssignDocumentNumberMutation,
  AssignDocumentNumberMutationVariables,
  BlockDocumentSeriesMutation,
  BlockDocumentSeriesMutationVariables,
  BroadcastTripMutation,
  BroadcastTripMutationVariables,
  CancelDocumentNumberMutation,
  CancelDocumentNumberMutationVariables,
  CancelTripMutation,
  CancelTripMutationVariables,
  CompleteTripMutation,
  CompleteTripMutationVariables,
  ConfirmDocumentNumberMutation,
  ConfirmDocumentNumberMutationVariables,
  CorrespondenceQuery,
  CorrespondenceQueryVariables,
  CorrespondenceTypesQuery,
  CorrespondenceTypesQueryVariables,
  CorrespondencesQuery,
  CorrespondencesQueryVariables,
  CreateCorrespondenceMutation,
  CreateCorrespondenceMutationVariables,
  CreateCorrespondenceTypeMutation,
  CreateCorrespondenceTypeMutationVariables,
  CreateDisciplineMutation,
  CreateDisciplineMutationVariables,
  CreateOrganizationMutation,
  CreateOrganizationMutationVariables,
  CreateProjectMutation,
  CreateProjectMutationVariables,
  DefineDocumentSeriesMutation,
  DefineDocumentSeriesMutationVariables,
  DisciplinesQuery,
  DisciplinesQueryVariables,
  DocumentNumberQuery,
  DocumentNumberQueryVariables,
  DocumentNumberCountersQuery,
  DocumentNumberCountersQueryVariables,
  DocumentNumberEventsQuery,
  DocumentNumberEventsQueryVariables,
  DocumentNumberFactsSubscription,
  DocumentNumberFactsSubscriptionVariables,
  DocumentNumberFormatCheckQuery,
  DocumentNumberFormatCheckQueryVariables,
  DocumentNumberFormatsQuery,
  DocumentNumberFormatsQueryVariables,
  DocumentNumberIssuedSubscription,
  DocumentNumberIssuedSubscriptionVariables,
  DocumentNumberPreviewQuery,
  DocumentNumberPreviewQueryVariables,
  DocumentNumbersQuery,
  DocumentNumbersQueryVariables,
  DocumentSeriesQuery,
  DocumentSeriesQueryVariables,
  GenerateTsidsMutation,
  GenerateTsidsMutationVariables,
  ImportDocumentNumbersMutation,
  ImportDocumentNumbersMutationVariables,
  IssueDocumentNumberMutation,
  IssueDocumentNumberMutationVariables,
  IssueDocumentNumbersMutation,
  IssueDocumentNumbersMutationVariables,
  NodeFleetQuery,
  NodeFleetQueryVariables,
  OrganizationsQuery,
  OrganizationsQueryVariables,
  OverviewQuery,
  OverviewQueryVariables,
  ProjectQuery,
  ProjectQueryVariables,
  ProjectsQuery,
  ProjectsQueryVariables,
  PromisesQuery,
  PromisesQueryVariables,
  ReconcileDocumentNumbersMutation,
  ReconcileDocumentNumbersMutationVariables,
  RejectTripMutation,
  RejectTripMutationVariables,
  RenameCorrespondenceTypeMutation,
  RenameCorrespondenceTypeMutationVariables,
  RenameDisciplineMutation,
  RenameDisciplineMutationVariables,
  RenameOrganizationMutation,
  RenameOrganizationMutationVariables,
  RenameProjectMutation,
  RenameProjectMutationVariables,
  ReplaceDocumentNumberMutation,
  ReplaceDocumentNumberMutationVariables,
  ReportArrivalMutation,
  ReportArrivalMutationVariables,
  ReportNoShowMutation,
  ReportNoShowMutationVariables,
  RequestTripMutation,
  RequestTripMutationVariables,
  ReserveDocumentNumberMutation,
  ReserveDocumentNumberMutationVariables,
  SaveDefaultDocumentNumberFormatMutation,
  SaveDefaultDocumentNumberFormatMutationVariables,
  SaveDocumentNumberFormatMutation,
  SaveDocumentNumberFormatMutationVariables,
  SearchDocumentNumbersQuery,
  SearchDocumentNumbersQueryVariables,
  SkipDocumentNumbersMutation,
  SkipDocumentNumbersMutationVariables,
  StartTripMutation,
  StartTripMutationVariables,
  TripQuery,
  TripQueryVariables,
  TripAttemptsQuery,
  TripAttemptsQueryVariables,
  TripEventsSubscription,
  TripEventsSubscriptionVariables,
  TripHistoryQuery,
  TripHistoryQueryVariables,
  TripOfferStepsQuery,
  TripOfferStepsQueryVariables,
  TripOfferedSubscription,
  TripOfferedSubscriptionVariables,
  TripUpdatedSubscription,
  TripUpdatedSubscriptionVariables,
  TripsQuery,
  TripsQueryVariables,
  TsidQuery,
  TsidQueryVariables,
  UnblockDocumentSeriesMutation,
  UnblockDocumentSeriesMutationVariables,
  UpdateDriverPositionMutation,
  UpdateDriverPositionMutationVariables,
  VoidDocumentNumberMutation,
  VoidDocumentNumberMutationVariables,
  WithdrawDocumentNumberFormatMutation,
  WithdrawDocumentNumberFormatMutationVariables,
} from './types.js';

export type MutationField = 'acceptCounterRegression' | 'acceptTrip' | 'assignDocumentNumber' | 'blockDocumentSeries' | 'broadcastTrip' | 'cancelDocumentNumber' | 'cancelTrip' | 'completeTrip' | 'confirmDocumentNumber' | 'createCorrespondence' | 'createCorrespondenceType' | 'createDiscipline' | 'createOrganization' | 'createProject' | 'defineDocumentSeries' | 'generateTsids' | 'importDocumentNumbers' | 'issueDocumentNumber' | 'issueDocumentNumbers' | 'reconcileDocumentNumbers' | 'rejectTrip' | 'renameCorrespondenceType' | 'renameDiscipline' | 'renameOrganization' | 'renameProject' | 'replaceDocumentNumber' | 'reportArrival' | 'reportNoShow' | 'requestTrip' | 'reserveDocumentNumber' | 'saveDefaultDocumentNumberFormat' | 'saveDocumentNumberFormat' | 'skipDocumentNumbers' | 'startTrip' | 'unblockDocumentSeries' | 'updateDriverPosition' | 'voidDocumentNumber' | 'withdrawDocumentNumberFormat';

/** One method for each document of operations/, named as the document. */
export interface Methods {
  /** Accepts a counter that is below already issued numbers after a restore: those numbers can be issued again. First make sure that no one relies on them. */
  acceptCounterRegression(variables: AcceptCounterRegressionMutationVariables, options?: CallOptions): Promise<AcceptCounterRegressionMutation['acceptCounterRegression']>;
  /** Accepts an offer. Of all drivers who call it for one offer, exactly one gets TripAccepted, also on a retry. On TripUndecided, try again after `retryAfterMs`. Handle unknown outcomes, because new ones might be added. */
  acceptTrip(variables: AcceptTripMutationVariables, options?: CallOptions): Promise<AcceptTripMutation['acceptTrip']>;
  /** Issues one chosen number of a series. */
  assignDocumentNumber(variables: AssignDocumentNumberMutationVariables, options?: CallOptions): Promise<AssignDocumentNumberMutation['assignDocumentNumber']>;
  /** Blocks a series: requests for its numbers get SeriesBlocked with the reason. */
  blockDocumentSeries(variables: BlockDocumentSeriesMutationVariables, options?: CallOptions): Promise<BlockDocumentSeriesMutation['blockDocumentSeries']>;
  /** Offers an open trip to more drivers, or for longer, under the same epoch. For its rider and administrators. */
  broadcastTrip(variables: BroadcastTripMutationVariables, options?: CallOptions): Promise<BroadcastTripMutation['broadcastTrip']>;
  /** Cancels a reservation; its number stays in the ledger. Repeating it returns the same number. */
  cancelDocumentNumber(variables: CancelDocumentNumberMutationVariables, options?: CallOptions): Promise<CancelDocumentNumberMutation['cancelDocumentNumber']>;
  /** Cancels a trip, also for administrators. If its driver cancels, they leave the trip, and it is offered to others. */
  cancelTrip(variables: CancelTripMutationVariables, options?: CallOptions): Promise<CancelTripMutation['cancelTrip']>;
  /** Completes a trip that has reached its destination. */
  completeTrip(variables: CompleteTripMutationVariables, options?: CallOptions): Promise<CompleteTripMutation['completeTrip']>;
  /** Turns a reservation into an issued number. Repeating it returns the same number. */
  confirmDocumentNumber(variables: ConfirmDocumentNumberMutationVariables, options?: CallOptions): Promise<ConfirmDocumentNumberMutation['confirmDocumentNumber']>;
  /** Returns one document, or null if there is none that the caller can access. */
  correspondence(variables: CorrespondenceQueryVariables, options?: CallOptions): Promise<CorrespondenceQuery['correspondence']>;
  /** Lists document types, newest first. */
  correspondenceTypes(variables?: CorrespondenceTypesQueryVariables, options?: CallOptions): Promise<CorrespondenceTypesQuery['correspondenceTypes']>;
  /** Lists documents, newest first. */
  correspondences(variables?: CorrespondencesQueryVariables, options?: CallOptions): Promise<CorrespondencesQuery['correspondences']>;
  /** Creates a document: its row, number and idempotency key are stored in one commit. */
  createCorrespondence(variables: CreateCorrespondenceMutationVariables, options?: CallOptions): Promise<CreateCorrespondenceMutation['createCorrespondence']>;
  /** Creates a document type. */
  createCorrespondenceType(variables: CreateCorrespondenceTypeMutationVariables, options?: CallOptions): Promise<CreateCorrespondenceTypeMutation['createCorrespondenceType']>;
  /** Creates a discipline. */
  createDiscipline(variables: CreateDisciplineMutationVariables, options?: CallOptions): Promise<CreateDisciplineMutation['createDiscipline']>;
  /** Creates an organization. */
  createOrganization(variables: CreateOrganizationMutationVariables, options?: CallOptions): Promise<CreateOrganizationMutation['createOrganization']>;
  /** Creates a project, which is a number space. */
  createProject(variables: CreateProjectMutationVariables, options?: CallOptions): Promise<CreateProjectMutation['createProject']>;
  /** Defines how a document type is numbered. Rules that determine its counters are fixed once a number has been issued (SERIES_IN_USE); date order, open dates, `endAt` and `authorityCode` can change. */
  defineDocumentSeries(variables: DefineDocumentSeriesMutationVariables, options?: CallOptions): Promise<DefineDocumentSeriesMutation['defineDocumentSeries']>;
  /** Lists disciplines, newest first. */
  disciplines(variables?: DisciplinesQueryVariables, options?: CallOptions): Promise<DisciplinesQuery['disciplines']>;
  /** Returns one number and its current status, or null if there is none that the caller can access. */
  documentNumber(variables: DocumentNumberQueryVariables, options?: CallOptions): Promise<DocumentNumberQuery['documentNumber']>;
  /** Lists counters with their last numbers and how full their formats are. */
  documentNumberCounters(variables?: DocumentNumberCountersQueryVariables, options?: CallOptions): Promise<DocumentNumberCountersQuery['documentNumberCounters']>;
  /** Lists audit events of numbers, formats and series, oldest first. */
  documentNumberEvents(variables?: DocumentNumberEventsQueryVariables, options?: CallOptions): Promise<DocumentNumberEventsQuery['documentNumberEvents']>;
  /** What happens to the numbers of a series, each fact once and in order, from any point: after a break, pass the last `cursor` as `after`. A feed has at most 500 counters (FEED_TOO_WIDE), and a person at most 10 feeds at a gateway (TOO_MANY_FEEDS). */
  documentNumberFacts(variables: DocumentNumberFactsSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<DocumentNumberFactsSubscription['documentNumberFacts']>;
  /** Checks a template against all stored data, as saving it would, but saves nothing. */
  documentNumberFormatCheck(variables: DocumentNumberFormatCheckQueryVariables, options?: CallOptions): Promise<DocumentNumberFormatCheckQuery['documentNumberFormatCheck']>;
  /** Lists format versions, newest first within each document type. */
  documentNumberFormats(variables?: DocumentNumberFormatsQueryVariables, options?: CallOptions): Promise<DocumentNumberFormatsQuery['documentNumberFormats']>;
  /** Numbers as they are issued, each at most once. Read missed ones from the ledger with `documentNumbers`. */
  documentNumberIssued(variables?: DocumentNumberIssuedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<DocumentNumberIssuedSubscription['documentNumberIssued']>;
  /** Previews the next number of a series without issuing it. */
  documentNumberPreview(variables: DocumentNumberPreviewQueryVariables, options?: CallOptions): Promise<DocumentNumberPreviewQuery['documentNumberPreview']>;
  /** Lists the numbers in the ledger. A page looks at 2,500 numbers at most for its actor or dates, so it can be short, even empty, while `hasNextPage` is true. */
  documentNumbers(variables?: DocumentNumbersQueryVariables, options?: CallOptions): Promise<DocumentNumbersQuery['documentNumbers']>;
  /** Lists the series of a project, one for each numbered document type. */
  documentSeries(variables?: DocumentSeriesQueryVariables, options?: CallOptions): Promise<DocumentSeriesQuery['documentSeries']>;
  /** Generates unique IDs in ascending order; no other process ever generates any of them. */
  generateTsids(variables?: GenerateTsidsMutationVariables, options?: CallOptions): Promise<GenerateTsidsMutation['generateTsids']>;
  /** Imports numbers that another system issued. */
  importDocumentNumbers(variables: ImportDocumentNumbersMutationVariables, options?: CallOptions): Promise<ImportDocumentNumbersMutation['importDocumentNumbers']>;
  /** Issues the next number of a series: 1, 2, 3 …, without duplicates or gaps. */
  issueDocumentNumber(variables: IssueDocumentNumberMutationVariables, options?: CallOptions): Promise<IssueDocumentNumberMutation['issueDocumentNumber']>;
  /** Issues consecutive numbers of a series in one commit. */
  issueDocumentNumbers(variables: IssueDocumentNumbersMutationVariables, options?: CallOptions): Promise<IssueDocumentNumbersMutation['issueDocumentNumbers']>;
  /** Returns the node IDs of the fleet and their holders, according to the store that grants them. */
  nodeFleet(variables?: NodeFleetQueryVariables, options?: CallOptions): Promise<NodeFleetQuery['nodeFleet']>;
  /** Lists organizations, newest first. */
  organizations(variables?: OrganizationsQueryVariables, options?: CallOptions): Promise<OrganizationsQuery['organizations']>;
  /** Returns rates, latencies, refusals and store health of the responding process. */
  overview(variables?: OverviewQueryVariables, options?: CallOptions): Promise<OverviewQuery['overview']>;
  /** Returns one project, or null if there is none. */
  project(variables: ProjectQueryVariables, options?: CallOptions): Promise<ProjectQuery['project']>;
  /** Lists the projects the caller can access, newest first. */
  projects(variables?: ProjectsQueryVariables, options?: CallOptions): Promise<ProjectsQuery['projects']>;
  /** Returns what works now in the responding process, and for what does not, why and what to do. */
  promises(variables?: PromisesQueryVariables, options?: CallOptions): Promise<PromisesQuery['promises']>;
  /** Checks the ledger, and cancels overdue reservations. */
  reconcileDocumentNumbers(variables: ReconcileDocumentNumbersMutationVariables, options?: CallOptions): Promise<ReconcileDocumentNumbersMutation['reconcileDocumentNumbers']>;
  /** Rejects an offer. The caller is the driver. */
  rejectTrip(variables: RejectTripMutationVariables, options?: CallOptions): Promise<RejectTripMutation['rejectTrip']>;
  /** Changes the display name of a document type. */
  renameCorrespondenceType(variables: RenameCorrespondenceTypeMutationVariables, options?: CallOptions): Promise<RenameCorrespondenceTypeMutation['renameCorrespondenceType']>;
  /** Changes the display name of a discipline. */
  renameDiscipline(variables: RenameDisciplineMutationVariables, options?: CallOptions): Promise<RenameDisciplineMutation['renameDiscipline']>;
  /** Changes the display name of an organization. */
  renameOrganization(variables: RenameOrganizationMutationVariables, options?: CallOptions): Promise<RenameOrganizationMutation['renameOrganization']>;
  /** Changes the display name of a project. */
  renameProject(variables: RenameProjectMutationVariables, options?: CallOptions): Promise<RenameProjectMutation['renameProject']>;
  /** Takes a number out of use and issues the next one in its place, in one commit. */
  replaceDocumentNumber(variables: ReplaceDocumentNumberMutationVariables, options?: CallOptions): Promise<ReplaceDocumentNumberMutation['replaceDocumentNumber']>;
  /** Reports that the driver has arrived at the pickup. */
  reportArrival(variables: ReportArrivalMutationVariables, options?: CallOptions): Promise<ReportArrivalMutation['reportArrival']>;
  /** Ends a trip whose rider did not come, once the driver has waited at the pickup for five minutes. */
  reportNoShow(variables: ReportNoShowMutationVariables, options?: CallOptions): Promise<ReportNoShowMutation['reportNoShow']>;
  /** Requests a trip. The caller is the rider. */
  requestTrip(variables: RequestTripMutationVariables, options?: CallOptions): Promise<RequestTripMutation['requestTrip']>;
  /** Reserves the next number of a series for a limited time. */
  reserveDocumentNumber(variables: ReserveDocumentNumberMutationVariables, options?: CallOptions): Promise<ReserveDocumentNumberMutation['reserveDocumentNumber']>;
  /** Saves a default template for a project: every series without a format gets it as its first version, now or when the series is defined, if it fits. */
  saveDefaultDocumentNumberFormat(variables: SaveDefaultDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<SaveDefaultDocumentNumberFormatMutation['saveDefaultDocumentNumberFormat']>;
  /** Checks a template and saves it as the next version; refused if two counters could print the same number. */
  saveDocumentNumberFormat(variables: SaveDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<SaveDocumentNumberFormatMutation['saveDocumentNumberFormat']>;
  /** Finds numbers by their beginning, sequence or document, and people by their name. */
  searchDocumentNumbers(variables: SearchDocumentNumbersQueryVariables, options?: CallOptions): Promise<SearchDocumentNumbersQuery['searchDocumentNumbers']>;
  /** Records the numbers up to `upTo` as cancelled. */
  skipDocumentNumbers(variables: SkipDocumentNumbersMutationVariables, options?: CallOptions): Promise<SkipDocumentNumbersMutation['skipDocumentNumbers']>;
  /** Starts the ride, with the rider on board. */
  startTrip(variables: StartTripMutationVariables, options?: CallOptions): Promise<StartTripMutation['startTrip']>;
  /** Returns one trip, as far as the caller is allowed to see it; null if there is none. Trips of others are refused (NOT_YOUR_TRIP). */
  trip(variables: TripQueryVariables, options?: CallOptions): Promise<TripQuery['trip']>;
  /** Counts attempts to accept a trip, by offer and outcome: an audit of demand. */
  tripAttempts(variables: TripAttemptsQueryVariables, options?: CallOptions): Promise<TripAttemptsQuery['tripAttempts']>;
  /** Every change to every trip of a region and of those that share its database, each once, those of a trip in order, from any point: after a break, pass the last `cursor` as `after`. A person has at most 10 of these feeds at a gateway (TOO_MANY_FEEDS). */
  tripEvents(variables?: TripEventsSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<TripEventsSubscription['tripEvents']>;
  /** Lists up to 1,000 events of a trip in order, so that a client can catch up after a disconnect. */
  tripHistory(variables: TripHistoryQueryVariables, options?: CallOptions): Promise<TripHistoryQuery['tripHistory']>;
  /** Lists whom a trip was offered to, step by step, as far as its first 1,000 events say. */
  tripOfferSteps(variables: TripOfferStepsQueryVariables, options?: CallOptions): Promise<TripOfferStepsQuery['tripOfferSteps']>;
  /** Offers to the calling driver, as they open and close. */
  tripOffered(variables?: TripOfferedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<TripOfferedSubscription['tripOffered']>;
  /** Each change to a trip, once and in order. After a disconnect, pass the last known revision to resume. */
  tripUpdated(variables: TripUpdatedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<TripUpdatedSubscription['tripUpdated']>;
  /** Lists the caller's trips, newest first; administrators see all trips. */
  trips(variables?: TripsQueryVariables, options?: CallOptions): Promise<TripsQuery['trips']>;
  /** Splits a TSID into its parts; any 64-bit number is valid. */
  tsid(variables: TsidQueryVariables, options?: CallOptions): Promise<TsidQuery['tsid']>;
  /** Unblocks a series; its counters continue where they stopped. */
  unblockDocumentSeries(variables: UnblockDocumentSeriesMutationVariables, options?: CallOptions): Promise<UnblockDocumentSeriesMutation['unblockDocumentSeries']>;
  /** Reports the position of the calling driver, so that nearby trips are offered to them first. */
  updateDriverPosition(variables: UpdateDriverPositionMutationVariables, options?: CallOptions): Promise<UpdateDriverPositionMutation['updateDriverPosition']>;
  /** Permanently takes a number out of use; it stays in the ledger. */
  voidDocumentNumber(variables: VoidDocumentNumberMutationVariables, options?: CallOptions): Promise<VoidDocumentNumberMutation['voidDocumentNumber']>;
  /** Withdraws a version that no number was printed with, such as one with a mistake; its texts become available again. Repeating it has no effect. */
  withdrawDocumentNumberFormat(variables: WithdrawDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<WithdrawDocumentNumberFormatMutation['withdrawDocumentNumberFormat']>;
}

export const OPERATIONS: { readonly [Name in keyof Methods]: Operation } = {
  acceptCounterRegression: { kind: 'mutation', field: 'acceptCounterRegression', id: '0zMTvcAZ773', text: 'mutation AcceptCounterRegression($input:AcceptCounterRegressionInput!){acceptCounterRegression(input:$input){__typename ...on CounterRegressionAccepted{lastNumber highWaterMark}}}' },
  acceptTrip: { kind: 'mutation', field: 'acceptTrip', id: 'psRpmRJa9tT', text: 'mutation AcceptTrip($input:AnswerOfferInput!){acceptTrip(input:$input){__typename ...TripRefusalFields ...on TripAccepted{tripId driverId offerEpoch acceptedAt}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}' },
  assignDocumentNumber: { kind: 'mutation', field: 'assignDocumentNumber', id: 'MarRpvODi47', text: 'mutation AssignDocumentNumber($input:AssignDocumentNumberInput!){assignDocumentNumber(input:$input){__typename ...DocumentNumberFields ...NumberRefusalFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  blockDocumentSeries: { kind: 'mutation', field: 'blockDocumentSeries', id: 'HpXn-hlUYqX', text: 'mutation BlockDocumentSeries($input:BlockDocumentSeriesInput!){blockDocumentSeries(input:$input){__typename ...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision dimensions{token none}reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  broadcastTrip: { kind: 'mutation', field: 'broadcastTrip', id: 'uL6V9_JyNhz', text: 'mutation BroadcastTrip($input:BroadcastTripInput!){broadcastTrip(input:$input){__typename ...TripRefusalFields ...on TripBroadcast{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  cancelDocumentNumber: { kind: 'mutation', field: 'cancelDocumentNumber', id: '0ZWLcPutcvR', text: 'mutation CancelDocumentNumber($input:CancelDocumentNumberInput!){cancelDocumentNumber(input:$input){__typename ...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  cancelTrip: { kind: 'mutation', field: 'cancelTrip', id: 'lGkElzApA9a', text: 'mutation CancelTrip($input:CancelTripInput!){cancelTrip(input:$input){__typename ...TripRefusalFields ...on TripCancelled{trip{...TripFields}}...on TripRedispatched{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  completeTrip: { kind: 'mutation', field: 'completeTrip', id: '94Kx2-tSBFG', text: 'mutation CompleteTrip($input:TripInput!){completeTrip(input:$input){__typename ...TripRefusalFields ...on TripCompleted{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  confirmDocumentNumber: { kind: 'mutation', field: 'confirmDocumentNumber', id: 'Mth95u73qcU', text: 'mutation ConfirmDocumentNumber($input:ConfirmDocumentNumberInput!){confirmDocumentNumber(input:$input){__typename ...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  correspondence: { kind: 'query', field: 'correspondence', id: 'fXi88bSoDDQ', text: 'query Correspondence($id:TSID!){correspondence(id:$id){...CorrespondenceFields project{id code name}type{id code name}organization{id code name}discipline{id code name}}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}' },
  correspondenceTypes: { kind: 'query', field: 'correspondenceTypes', id: 'xL4xLnlLnkI', text: 'query CorrespondenceTypes($first:Int!=20$after:String$codeStart:String!=""){correspondenceTypes(first:$first after:$after codeStart:$codeStart){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  correspondences: { kind: 'query', field: 'correspondences', id: 'SzSeUW7iT-Y', text: 'query Correspondences($filter:CorrespondenceFilter$first:Int!=20$after:String){correspondences(filter:$filter first:$first after:$after){edges{cursor node{...CorrespondenceFields}}pageInfo{hasNextPage endCursor}}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}' },
  createCorrespondence: { kind: 'mutation', field: 'createCorrespondence', id: 'OPlPoU770BW', text: 'mutation CreateCorrespondence($input:CreateCorrespondenceInput!){createCorrespondence(input:$input){__typename ...CorrespondenceFields ...NumberRefusalFields}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  createCorrespondenceType: { kind: 'mutation', field: 'createCorrespondenceType', id: 'trfc2t3l1TV', text: 'mutation CreateCorrespondenceType($input:CodedRowInput!){createCorrespondenceType(input:$input){__typename ...on CorrespondenceType{id code name}}}' },
  createDiscipline: { kind: 'mutation', field: 'createDiscipline', id: 'ZM26qppYB1g', text: 'mutation CreateDiscipline($input:CodedRowInput!){createDiscipline(input:$input){__typename ...on Discipline{id code name}}}' },
  createOrganization: { kind: 'mutation', field: 'createOrganization', id: 'ibnJohDy8q0', text: 'mutation CreateOrganization($input:CodedRowInput!){createOrganization(input:$input){__typename ...on Organization{id code name}}}' },
  createProject: { kind: 'mutation', field: 'createProject', id: 'kuedeHCRx_3', text: 'mutation CreateProject($input:CodedRowInput!){createProject(input:$input){__typename ...on Project{id code name}}}' },
  defineDocumentSeries: { kind: 'mutation', field: 'defineDocumentSeries', id: 'w0Vp7oscn83', text: 'mutation DefineDocumentSeries($input:DefineDocumentSeriesInput!){defineDocumentSeries(input:$input){__typename ...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision dimensions{token none}reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  disciplines: { kind: 'query', field: 'disciplines', id: 'PiVgaSKAHl6', text: 'query Disciplines($first:Int!=20$after:String$codeStart:String!=""){disciplines(first:$first after:$after codeStart:$codeStart){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  documentNumber: { kind: 'query', field: 'documentNumber', id: 'i-Cj0FfMw84', text: 'query DocumentNumber($by:DocumentNumberBy!){documentNumber(by:$by){...DocumentNumberFields actor{id name}voidedBy{id name}project{id code name}correspondence{id subject}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentNumberCounters: { kind: 'query', field: 'documentNumberCounters', id: 'WwKbDUnRG7A', text: 'query DocumentNumberCounters($filter:DocumentNumberCounterFilter$first:Int!=20$after:String){documentNumberCounters(filter:$filter first:$first after:$after){edges{cursor node{id typeCode organizationCode disciplineCode dimensions{token code}period lastNumber widthUsed limit perDay fullOn version updatedAt project{id code}}}pageInfo{hasNextPage endCursor}}}' },
  documentNumberEvents: { kind: 'query', field: 'documentNumberEvents', id: '8ByDx64rlG6', text: 'query DocumentNumberEvents($filter:DocumentNumberEventFilter$first:Int!=20$after:String){documentNumberEvents(filter:$filter first:$first after:$after){edges{cursor node{id type number sequence actorId actor{id name}reason facts occurredAt}}pageInfo{hasNextPage endCursor}}}' },
  documentNumberFacts: { kind: 'subscription', field: 'documentNumberFacts', resumes: 'after', id: 'zHcvKQDPelX', text: 'subscription DocumentNumberFacts($projectCode:String!$typeCode:String!$organizationCode:String$disciplineCode:String$dimensions:[DocumentCodeInput!]$period:String$after:String){documentNumberFacts(projectCode:$projectCode typeCode:$typeCode organizationCode:$organizationCode disciplineCode:$disciplineCode dimensions:$dimensions period:$period after:$after){cursor facts{kind actorId reason replacedBy at number{...DocumentNumberFields}}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentNumberFormatCheck: { kind: 'query', field: 'documentNumberFormatCheck', id: '4DQKoge0t80', text: 'query DocumentNumberFormatCheck($input:CheckDocumentNumberFormatInput!){documentNumberFormatCheck(input:$input){__typename ...on DocumentNumberFormatValid{version}...on DocumentNumberFormatFault{message position}...on DocumentNumberFormatAmbiguous{first second example}}}' },
  documentNumberFormats: { kind: 'query', field: 'documentNumberFormats', id: 'XA6-KkkUIi0', text: 'query DocumentNumberFormats($filter:DocumentNumberFormatFilter$first:Int!=20$after:String){documentNumberFormats(filter:$filter first:$first after:$after){edges{cursor node{...DocumentNumberFormatFields}}pageInfo{hasNextPage endCursor}}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template description overflow validFrom validUntil createdAt project{id code}}' },
  documentNumberIssued: { kind: 'subscription', field: 'documentNumberIssued', id: 'NjaAY6lI8SO', text: 'subscription DocumentNumberIssued($projectCode:String){documentNumberIssued(projectCode:$projectCode){...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentNumberPreview: { kind: 'query', field: 'documentNumberPreview', id: 'Wmw43KAaeNe', text: 'query DocumentNumberPreview($input:DocumentSeriesInput!){documentNumberPreview(input:$input){number sequence period formatVersion promised}}' },
  documentNumbers: { kind: 'query', field: 'documentNumbers', id: 'Re2ZMlfDK2m', text: 'query DocumentNumbers($filter:DocumentNumberFilter$first:Int!=20$after:String){documentNumbers(filter:$filter first:$first after:$after){edges{cursor node{...DocumentNumberFields project{id code name}}}pageInfo{hasNextPage endCursor}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentSeries: { kind: 'query', field: 'documentSeries', id: 'lsxhenaGR-2', text: 'query DocumentSeries($projectCode:String$first:Int!=20$after:String){documentSeries(projectCode:$projectCode first:$first after:$after){edges{cursor node{...DocumentSeriesFields}}pageInfo{hasNextPage endCursor}}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision dimensions{token none}reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  generateTsids: { kind: 'mutation', field: 'generateTsids', id: 'ZWrMIGp1zRP', text: 'mutation GenerateTsids($count:Int!=1){generateTsids(count:$count){__typename ...on TsidsGenerated{ids}}}' },
  importDocumentNumbers: { kind: 'mutation', field: 'importDocumentNumbers', id: 'p_bqAIyE9LI', text: 'mutation ImportDocumentNumbers($input:ImportDocumentNumbersInput!){importDocumentNumbers(input:$input){__typename ...on ImportReport{imported rowCount recordedHoleCount problemCount problems{code row message}}}}' },
  issueDocumentNumber: { kind: 'mutation', field: 'issueDocumentNumber', id: 'UqRK-zdkyvq', text: 'mutation IssueDocumentNumber($input:IssueDocumentNumberInput!){issueDocumentNumber(input:$input){__typename ...DocumentNumberFields ...NumberRefusalFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  issueDocumentNumbers: { kind: 'mutation', field: 'issueDocumentNumbers', id: '9N-OI09c3MC', text: 'mutation IssueDocumentNumbers($input:IssueDocumentNumbersInput!){issueDocumentNumbers(input:$input){__typename ...on DocumentNumbersIssued{documentNumbers{...DocumentNumberFields}}...NumberRefusalFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  nodeFleet: { kind: 'query', field: 'nodeFleet', id: '1IAyA58HjjT', text: 'query NodeFleet($state:FleetNodeState){nodeFleet{nodeCount heldNodeCount freeNodeCount quarantineLeftMs readAt nodes(state:$state){node state holder isMine heldFrom heldUntil secondsLeft}}}' },
  organizations: { kind: 'query', field: 'organizations', id: 'L7-T056q1oX', text: 'query Organizations($first:Int!=20$after:String$codeStart:String!=""){organizations(first:$first after:$after codeStart:$codeStart){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  overview: { kind: 'query', field: 'overview', id: 'TSpjDICkepb', text: 'query Overview{overview{process startedAt node leaseSecondsLeft idCount parts{name isUp awaySeconds}outbox{waitingCount oldestSeconds}redisMemory{usedBytes maxBytes}waitingMarkCount databaseConnections{usedCount waitingCount}buckets{from seconds operationCount refusedCount failedCount idCount numberCount commitP50Ms commitP99Ms regressionCount acceptCount acceptP50Ms acceptP99Ms tripsWonCount}}}' },
  project: { kind: 'query', field: 'project', id: 'f3A-aj-IhLW', text: 'query Project($code:String!){project(code:$code){id code name}}' },
  projects: { kind: 'query', field: 'projects', id: 'z5Kni25PbGc', text: 'query Projects($first:Int!=20$after:String$codeStart:String!=""){projects(first:$first after:$after codeStart:$codeStart){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  promises: { kind: 'query', field: 'promises', id: 'yAARh8LW2vx', text: 'query Promises{promises{promise works until limits{part reason effect action alert}}}' },
  reconcileDocumentNumbers: { kind: 'mutation', field: 'reconcileDocumentNumbers', id: 'fJgoZK7ekA_', text: 'mutation ReconcileDocumentNumbers($input:ReconcileDocumentNumbersInput!){reconcileDocumentNumbers(input:$input){__typename ...on DocumentNumbersReconciled{findings{kind counter count example first last lastNumber highWaterMark widthUsed}}}}' },
  rejectTrip: { kind: 'mutation', field: 'rejectTrip', id: 'fxe6F1UM8oA', text: 'mutation RejectTrip($input:AnswerOfferInput!){rejectTrip(input:$input){__typename ...TripRefusalFields ...on TripRejected{tripId offerEpoch}...on TripAccepted{tripId driverId offerEpoch acceptedAt}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}' },
  renameCorrespondenceType: { kind: 'mutation', field: 'renameCorrespondenceType', id: 'U_P9bx0lbhU', text: 'mutation RenameCorrespondenceType($input:RenameInput!){renameCorrespondenceType(input:$input){__typename ...on CorrespondenceType{id code name}}}' },
  renameDiscipline: { kind: 'mutation', field: 'renameDiscipline', id: 'rObgKchBiOu', text: 'mutation RenameDiscipline($input:RenameInput!){renameDiscipline(input:$input){__typename ...on Discipline{id code name}}}' },
  renameOrganization: { kind: 'mutation', field: 'renameOrganization', id: 'C4RvfCNIKW8', text: 'mutation RenameOrganization($input:RenameInput!){renameOrganization(input:$input){__typename ...on Organization{id code name}}}' },
  renameProject: { kind: 'mutation', field: 'renameProject', id: '6ExIt77tvef', text: 'mutation RenameProject($input:RenameInput!){renameProject(input:$input){__typename ...on Project{id code name}}}' },
  replaceDocumentNumber: { kind: 'mutation', field: 'replaceDocumentNumber', id: '-gFwnYVAtwP', text: 'mutation ReplaceDocumentNumber($input:ReplaceDocumentNumberInput!){replaceDocumentNumber(input:$input){__typename ...on DocumentNumberReplaced{voided{...DocumentNumberFields}replacement{...DocumentNumberFields}}...NumberRefusalFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  reportArrival: { kind: 'mutation', field: 'reportArrival', id: 'LGvh2Sbsp6_', text: 'mutation ReportArrival($input:TripInput!){reportArrival(input:$input){__typename ...TripRefusalFields ...on DriverArrived{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  reportNoShow: { kind: 'mutation', field: 'reportNoShow', id: 'Kpjq7OYMK3P', text: 'mutation ReportNoShow($input:TripInput!){reportNoShow(input:$input){__typename ...TripRefusalFields ...on TripCancelled{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  requestTrip: { kind: 'mutation', field: 'requestTrip', id: 'FtJjTJfP5pE', text: 'mutation RequestTrip($input:RequestTripInput!){requestTrip(input:$input){__typename ...TripFields}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  reserveDocumentNumber: { kind: 'mutation', field: 'reserveDocumentNumber', id: 'ridUjdTkMKg', text: 'mutation ReserveDocumentNumber($input:ReserveDocumentNumberInput!){reserveDocumentNumber(input:$input){__typename ...on DocumentNumberReservation{token expiresAt documentNumber{...DocumentNumberFields}}...NumberRefusalFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}' },
  saveDefaultDocumentNumberFormat: { kind: 'mutation', field: 'saveDefaultDocumentNumberFormat', id: 'pbGbzGwy4rd', text: 'mutation SaveDefaultDocumentNumberFormat($input:SaveDefaultDocumentNumberFormatInput!){saveDefaultDocumentNumberFormat(input:$input){__typename ...on DefaultDocumentNumberFormatSaved{formats{...DocumentNumberFormatFields}}}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template description overflow validFrom validUntil createdAt project{id code}}' },
  saveDocumentNumberFormat: { kind: 'mutation', field: 'saveDocumentNumberFormat', id: 'xQ2ZuX72F-g', text: 'mutation SaveDocumentNumberFormat($input:SaveDocumentNumberFormatInput!){saveDocumentNumberFormat(input:$input){__typename ...DocumentNumberFormatFields}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template description overflow validFrom validUntil createdAt project{id code}}' },
  searchDocumentNumbers: { kind: 'query', field: 'searchDocumentNumbers', id: 'bYm7uhe1hjN', text: 'query SearchDocumentNumbers($search:DocumentNumberSearchInput!$first:Int!=20$skip:Int!=0){searchDocumentNumbers(search:$search first:$first skip:$skip){total isMore people{id name}numbers{...DocumentNumberFields project{id code name}}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  skipDocumentNumbers: { kind: 'mutation', field: 'skipDocumentNumbers', id: 'qLAf2Dd-fGv', text: 'mutation SkipDocumentNumbers($input:SkipDocumentNumbersInput!){skipDocumentNumbers(input:$input){__typename ...on DocumentNumbersSkipped{skippedCount}}}' },
  startTrip: { kind: 'mutation', field: 'startTrip', id: 'cWTTFRXsWwr', text: 'mutation StartTrip($input:TripInput!){startTrip(input:$input){__typename ...TripRefusalFields ...on TripStarted{trip{...TripFields}}}}fragment TripRefusalFields on TripRefusal{message tripId ...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs afterRevision}...on NoShowTooEarly{allowedAt}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  trip: { kind: 'query', field: 'trip', id: 'aPRkDkpZnWz', text: 'query Trip($id:TSID!){trip(id:$id){...TripFields}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  tripAttempts: { kind: 'query', field: 'tripAttempts', id: '1fXf_X6F_Pv', text: 'query TripAttempts($tripId:TSID!){tripAttempts(tripId:$tripId){offerEpoch outcome count}}' },
  tripEvents: { kind: 'subscription', field: 'tripEvents', resumes: 'after', id: 'ZcUaZJP6X5R', text: 'subscription TripEvents($region:String$after:String){tripEvents(region:$region after:$after){cursor events{...TripEventFields}}}fragment TripEventFields on TripEvent{id tripId type status revision offerEpoch driverId reason occurredAt}' },
  tripHistory: { kind: 'query', field: 'tripHistory', id: 'X75WXq-jpmE', text: 'query TripHistory($tripId:TSID!$afterRevision:Int!=0$first:Int!=100){tripHistory(tripId:$tripId afterRevision:$afterRevision first:$first){...TripEventFields}}fragment TripEventFields on TripEvent{id tripId type status revision offerEpoch driverId reason occurredAt}' },
  tripOfferSteps: { kind: 'query', field: 'tripOfferSteps', id: 'pwjfJI8raON', text: 'query TripOfferSteps($tripId:TSID!){tripOfferSteps(tripId:$tripId){offerEpoch revision driverIds offeredAt expiresAt}}' },
  tripOffered: { kind: 'subscription', field: 'tripOffered', id: 'atpl6qNf-22', text: 'subscription TripOffered{tripOffered{id tripId offerEpoch state expiresAt}}' },
  tripUpdated: { kind: 'subscription', field: 'tripUpdated', resumes: 'afterRevision', id: 'z10VxPJMCgL', text: 'subscription TripUpdated($tripId:TSID!$afterRevision:Int!){tripUpdated(tripId:$tripId afterRevision:$afterRevision){...TripEventFields}}fragment TripEventFields on TripEvent{id tripId type status revision offerEpoch driverId reason occurredAt}' },
  trips: { kind: 'query', field: 'trips', id: 'yvy259JY-Bi', text: 'query Trips($filter:TripFilter$first:Int!=20$after:String){trips(filter:$filter first:$first after:$after){edges{cursor node{...TripFields}}pageInfo{hasNextPage endCursor}}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  tsid: { kind: 'query', field: 'tsid', id: 'a6A6zqPdtSu', text: 'query Tsid($id:TSID!){tsid(id:$id){id time node sequence base62 crockford holder{holder heldFrom heldUntil}}}' },
  unblockDocumentSeries: { kind: 'mutation', field: 'unblockDocumentSeries', id: 'nv4pb9igNWd', text: 'mutation UnblockDocumentSeries($input:DocumentTypeInput!){unblockDocumentSeries(input:$input){__typename ...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision dimensions{token none}reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  updateDriverPosition: { kind: 'mutation', field: 'updateDriverPosition', id: 'WUdqmdvJaWE', text: 'mutation UpdateDriverPosition($input:UpdateDriverPositionInput!){updateDriverPosition(input:$input){__typename ...on DriverPositionUpdated{countsForMs}}}' },
  voidDocumentNumber: { kind: 'mutation', field: 'voidDocumentNumber', id: 'VTewymax1JB', text: 'mutation VoidDocumentNumber($input:VoidDocumentNumberInput!){voidDocumentNumber(input:$input){__typename ...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy voidReason voidedById voidedAt issuedAt actorId commitId expiresAt idempotencyKey}' },
  withdrawDocumentNumberFormat: { kind: 'mutation', field: 'withdrawDocumentNumberFormat', id: 'OEqi5NDTrvM', text: 'mutation WithdrawDocumentNumberFormat($input:WithdrawDocumentNumberFormatInput!){withdrawDocumentNumberFormat(input:$input){__typename ...on DocumentNumberFormatWithdrawn{version}...on DocumentNumberFormatInUse{version message}}}' },
};
