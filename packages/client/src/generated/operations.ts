// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.
import type { CallOptions, Operation, SubscribeOptions } from '../contract/operation.js';
import type {
  AcceptCounterRegressionMutation,
  AcceptCounterRegressionMutationVariables,
  AcceptTripMutation,
  AcceptTripMutationVariables,
  ArchiveDocumentNumbersMutation,
  ArchiveDocumentNumbersMutationVariables,
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
  ProjectsQuery,
  ProjectsQueryVariables,
  ReconcileDocumentNumbersMutation,
  ReconcileDocumentNumbersMutationVariables,
  RejectTripMutation,
  RejectTripMutationVariables,
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
  SkipDocumentNumbersMutation,
  SkipDocumentNumbersMutationVariables,
  StartTripMutation,
  StartTripMutationVariables,
  TripQuery,
  TripQueryVariables,
  TripAttemptsQuery,
  TripAttemptsQueryVariables,
  TripHistoryQuery,
  TripHistoryQueryVariables,
  TripOfferedSubscription,
  TripOfferedSubscriptionVariables,
  TripUpdatedSubscription,
  TripUpdatedSubscriptionVariables,
  TripsQuery,
  TripsQueryVariables,
  TsidQuery,
  TsidQueryVariables,
  TsidReadingsQuery,
  TsidReadingsQueryVariables,
  UnblockDocumentSeriesMutation,
  UnblockDocumentSeriesMutationVariables,
  UpdateDriverPositionMutation,
  UpdateDriverPositionMutationVariables,
  VoidDocumentNumberMutation,
  VoidDocumentNumberMutationVariables,
  WithdrawDocumentNumberFormatMutation,
  WithdrawDocumentNumberFormatMutationVariables,
} from './types.js';

export type MutationField = 'acceptCounterRegression' | 'acceptTrip' | 'archiveDocumentNumbers' | 'assignDocumentNumber' | 'blockDocumentSeries' | 'broadcastTrip' | 'cancelDocumentNumber' | 'cancelTrip' | 'completeTrip' | 'confirmDocumentNumber' | 'createCorrespondence' | 'createCorrespondenceType' | 'createDiscipline' | 'createOrganization' | 'createProject' | 'defineDocumentSeries' | 'generateTsids' | 'importDocumentNumbers' | 'issueDocumentNumber' | 'issueDocumentNumbers' | 'reconcileDocumentNumbers' | 'rejectTrip' | 'replaceDocumentNumber' | 'reportArrival' | 'reportNoShow' | 'requestTrip' | 'reserveDocumentNumber' | 'saveDefaultDocumentNumberFormat' | 'saveDocumentNumberFormat' | 'skipDocumentNumbers' | 'startTrip' | 'unblockDocumentSeries' | 'updateDriverPosition' | 'voidDocumentNumber' | 'withdrawDocumentNumberFormat';

/** One method for each document of operations/, named as the document. */
export interface Methods {
  /** Takes a counter as it stands after a restore, below numbers that were issued once: they may be issued again. First make sure that nobody relies on them. */
  acceptCounterRegression(variables: AcceptCounterRegressionMutationVariables, options?: CallOptions): Promise<AcceptCounterRegressionMutation['acceptCounterRegression']>;
  /** Of all drivers who call it for one offer exactly one gets TripAccepted, and again on repeat. TripUndecided: ask again after retryAfterMs. New outcomes may come, so have a default branch. */
  acceptTrip(variables: AcceptTripMutationVariables, options?: CallOptions): Promise<AcceptTripMutation['acceptTrip']>;
  /** Moves the ledger of periods that end by closedUntil to the archive. Look-ups and lists know these numbers as before; they can no longer be voided, and closedUntil cannot go back. Repeating it does nothing. */
  archiveDocumentNumbers(variables: ArchiveDocumentNumbersMutationVariables, options?: CallOptions): Promise<ArchiveDocumentNumbersMutation['archiveDocumentNumbers']>;
  /** Gives out one chosen number of a series. */
  assignDocumentNumber(variables: AssignDocumentNumberMutationVariables, options?: CallOptions): Promise<AssignDocumentNumberMutation['assignDocumentNumber']>;
  /** Stops a series: whoever asks it for a number gets SeriesBlocked with the reason. */
  blockDocumentSeries(variables: BlockDocumentSeriesMutationVariables, options?: CallOptions): Promise<BlockDocumentSeriesMutation['blockDocumentSeries']>;
  /** Offers an open trip to more drivers, or for longer, under the same epoch. For its rider. */
  broadcastTrip(variables: BroadcastTripMutationVariables, options?: CallOptions): Promise<BroadcastTripMutation['broadcastTrip']>;
  /** Ends a reservation; its number stays in the ledger. */
  cancelDocumentNumber(variables: CancelDocumentNumberMutationVariables, options?: CallOptions): Promise<CancelDocumentNumberMutation['cancelDocumentNumber']>;
  /** The rider ends the trip; the driver leaves it, and it is offered to others. */
  cancelTrip(variables: CancelTripMutationVariables, options?: CallOptions): Promise<CancelTripMutation['cancelTrip']>;
  /** The driver has brought the rider there. */
  completeTrip(variables: CompleteTripMutationVariables, options?: CallOptions): Promise<CompleteTripMutation['completeTrip']>;
  /** Turns a reservation into an issued number. */
  confirmDocumentNumber(variables: ConfirmDocumentNumberMutationVariables, options?: CallOptions): Promise<ConfirmDocumentNumberMutation['confirmDocumentNumber']>;
  /** One document. */
  correspondence(variables: CorrespondenceQueryVariables, options?: CallOptions): Promise<CorrespondenceQuery['correspondence']>;
  /** Document types, newest first. */
  correspondenceTypes(variables?: CorrespondenceTypesQueryVariables, options?: CallOptions): Promise<CorrespondenceTypesQuery['correspondenceTypes']>;
  /** Newest first. */
  correspondences(variables?: CorrespondencesQueryVariables, options?: CallOptions): Promise<CorrespondencesQuery['correspondences']>;
  /** The document, its key and its number in one commit. */
  createCorrespondence(variables: CreateCorrespondenceMutationVariables, options?: CallOptions): Promise<CreateCorrespondenceMutation['createCorrespondence']>;
  /** A new document type. */
  createCorrespondenceType(variables: CreateCorrespondenceTypeMutationVariables, options?: CallOptions): Promise<CreateCorrespondenceTypeMutation['createCorrespondenceType']>;
  /** A new discipline. */
  createDiscipline(variables: CreateDisciplineMutationVariables, options?: CallOptions): Promise<CreateDisciplineMutation['createDiscipline']>;
  /** A new organisation. */
  createOrganization(variables: CreateOrganizationMutationVariables, options?: CallOptions): Promise<CreateOrganizationMutation['createOrganization']>;
  /** A new number space. */
  createProject(variables: CreateProjectMutationVariables, options?: CallOptions): Promise<CreateProjectMutation['createProject']>;
  /** Defines how a document type is numbered. What decides a counter is fixed once there is a format; date order and open dates can change. */
  defineDocumentSeries(variables: DefineDocumentSeriesMutationVariables, options?: CallOptions): Promise<DefineDocumentSeriesMutation['defineDocumentSeries']>;
  /** Disciplines, newest first. */
  disciplines(variables?: DisciplinesQueryVariables, options?: CallOptions): Promise<DisciplinesQuery['disciplines']>;
  /** One number, with what became of it. */
  documentNumber(variables: DocumentNumberQueryVariables, options?: CallOptions): Promise<DocumentNumberQuery['documentNumber']>;
  /** Where the counters stand and how full their formats are. */
  documentNumberCounters(variables?: DocumentNumberCountersQueryVariables, options?: CallOptions): Promise<DocumentNumberCountersQuery['documentNumberCounters']>;
  /** What happened to numbers, formats and series. */
  documentNumberEvents(variables?: DocumentNumberEventsQueryVariables, options?: CallOptions): Promise<DocumentNumberEventsQuery['documentNumberEvents']>;
  /** Checks a template as saving would, against everything that is there, and saves nothing. */
  documentNumberFormatCheck(variables: DocumentNumberFormatCheckQueryVariables, options?: CallOptions): Promise<DocumentNumberFormatCheckQuery['documentNumberFormatCheck']>;
  /** All versions, newest first within a type. */
  documentNumberFormats(variables?: DocumentNumberFormatsQueryVariables, options?: CallOptions): Promise<DocumentNumberFormatsQuery['documentNumberFormats']>;
  /** Numbers as they are issued, at most once each; the ledger has what was missed. */
  documentNumberIssued(variables?: DocumentNumberIssuedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<DocumentNumberIssuedSubscription['documentNumberIssued']>;
  /** The next number of a series, without taking it. */
  documentNumberPreview(variables: DocumentNumberPreviewQueryVariables, options?: CallOptions): Promise<DocumentNumberPreviewQuery['documentNumberPreview']>;
  /** A page of the ledger. */
  documentNumbers(variables?: DocumentNumbersQueryVariables, options?: CallOptions): Promise<DocumentNumbersQuery['documentNumbers']>;
  /** The series of a project, one for each numbered type. */
  documentSeries(variables?: DocumentSeriesQueryVariables, options?: CallOptions): Promise<DocumentSeriesQuery['documentSeries']>;
  /** New IDs, ascending; no other process ever makes one of them. */
  generateTsids(variables?: GenerateTsidsMutationVariables, options?: CallOptions): Promise<GenerateTsidsMutation['generateTsids']>;
  /** Takes over numbers of another system. */
  importDocumentNumbers(variables: ImportDocumentNumbersMutationVariables, options?: CallOptions): Promise<ImportDocumentNumbersMutation['importDocumentNumbers']>;
  /** The next number of a series: 1, 2, 3 …, none twice, none missing. */
  issueDocumentNumber(variables: IssueDocumentNumberMutationVariables, options?: CallOptions): Promise<IssueDocumentNumberMutation['issueDocumentNumber']>;
  /** Consecutive numbers in one commit. */
  issueDocumentNumbers(variables: IssueDocumentNumbersMutationVariables, options?: CallOptions): Promise<IssueDocumentNumbersMutation['issueDocumentNumbers']>;
  /** The node IDs of the fleet and who holds them, as Redis sees it. */
  nodeFleet(variables?: NodeFleetQueryVariables, options?: CallOptions): Promise<NodeFleetQuery['nodeFleet']>;
  /** Who documents come from, newest first. */
  organizations(variables?: OrganizationsQueryVariables, options?: CallOptions): Promise<OrganizationsQuery['organizations']>;
  /** Rates, latencies, refusals and stores of the process that answers. */
  overview(variables?: OverviewQueryVariables, options?: CallOptions): Promise<OverviewQuery['overview']>;
  /** The projects that the caller may see, newest first. */
  projects(variables?: ProjectsQueryVariables, options?: CallOptions): Promise<ProjectsQuery['projects']>;
  /** Looks for what a person should see, and ends reservations whose time is over. Empty: all is well. */
  reconcileDocumentNumbers(variables: ReconcileDocumentNumbersMutationVariables, options?: CallOptions): Promise<ReconcileDocumentNumbersMutation['reconcileDocumentNumbers']>;
  /** The driver does not want this offer. */
  rejectTrip(variables: RejectTripMutationVariables, options?: CallOptions): Promise<RejectTripMutation['rejectTrip']>;
  /** Takes a number out of use and issues the next one in its place, in one commit. */
  replaceDocumentNumber(variables: ReplaceDocumentNumberMutationVariables, options?: CallOptions): Promise<ReplaceDocumentNumberMutation['replaceDocumentNumber']>;
  /** The driver is at the pickup. */
  reportArrival(variables: ReportArrivalMutationVariables, options?: CallOptions): Promise<ReportArrivalMutation['reportArrival']>;
  /** The driver has waited at the pickup for five minutes and nobody came: ends the trip. */
  reportNoShow(variables: ReportNoShowMutationVariables, options?: CallOptions): Promise<ReportNoShowMutation['reportNoShow']>;
  /** Asks for a driver. The caller is the rider. */
  requestTrip(variables: RequestTripMutationVariables, options?: CallOptions): Promise<RequestTripMutation['requestTrip']>;
  /** Holds the next number for a while. */
  reserveDocumentNumber(variables: ReserveDocumentNumberMutationVariables, options?: CallOptions): Promise<ReserveDocumentNumberMutation['reserveDocumentNumber']>;
  /** Saves a template that every series of the project without a format gets as its first version, now or when it is defined, if it fits. Returns what was saved for series that are there. */
  saveDefaultDocumentNumberFormat(variables: SaveDefaultDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<SaveDefaultDocumentNumberFormatMutation['saveDefaultDocumentNumberFormat']>;
  /** Checks a template and saves it; a template under which two counters could print the same is refused. */
  saveDocumentNumberFormat(variables: SaveDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<SaveDocumentNumberFormatMutation['saveDocumentNumberFormat']>;
  /** Records the numbers up to one as cancelled. */
  skipDocumentNumbers(variables: SkipDocumentNumbersMutationVariables, options?: CallOptions): Promise<SkipDocumentNumbersMutation['skipDocumentNumbers']>;
  /** The rider is on board. */
  startTrip(variables: StartTripMutationVariables, options?: CallOptions): Promise<StartTripMutation['startTrip']>;
  /** One trip, as far as the caller may see it. */
  trip(variables: TripQueryVariables, options?: CallOptions): Promise<TripQuery['trip']>;
  /** How many drivers pressed accept, by offer and by the answer they got: an audit of demand. */
  tripAttempts(variables: TripAttemptsQueryVariables, options?: CallOptions): Promise<TripAttemptsQuery['tripAttempts']>;
  /** What happened to a trip, in order: how a client that was away catches up. 1 to 1,000 events. */
  tripHistory(variables: TripHistoryQueryVariables, options?: CallOptions): Promise<TripHistoryQuery['tripHistory']>;
  /** Offers that open for the caller, and that are gone again. */
  tripOffered(variables?: TripOfferedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<TripOfferedSubscription['tripOffered']>;
  /** Each change of a trip, once and in order. A client that was away gives the last revision it knows. */
  tripUpdated(variables: TripUpdatedSubscriptionVariables, options?: SubscribeOptions): AsyncIterableIterator<TripUpdatedSubscription['tripUpdated']>;
  /** The caller's trips, newest first; an administrator sees all. */
  trips(variables?: TripsQueryVariables, options?: CallOptions): Promise<TripsQuery['trips']>;
  /** Takes a TSID apart; any 64-bit number is one. */
  tsid(variables: TsidQueryVariables, options?: CallOptions): Promise<TsidQuery['tsid']>;
  /** Reads a text as a TSID in every spelling that it fits, the one made nearest to now first. Empty: it is none. */
  tsidReadings(variables: TsidReadingsQueryVariables, options?: CallOptions): Promise<TsidReadingsQuery['tsidReadings']>;
  /** Opens a series that was blocked; its counters go on where they stood. */
  unblockDocumentSeries(variables: UnblockDocumentSeriesMutationVariables, options?: CallOptions): Promise<UnblockDocumentSeriesMutation['unblockDocumentSeries']>;
  /** Reports where the calling driver is, so that trips near them are offered to them first. */
  updateDriverPosition(variables: UpdateDriverPositionMutationVariables, options?: CallOptions): Promise<UpdateDriverPositionMutation['updateDriverPosition']>;
  /** Takes a number out of use for good; it stays in the ledger. */
  voidDocumentNumber(variables: VoidDocumentNumberMutationVariables, options?: CallOptions): Promise<VoidDocumentNumberMutation['voidDocumentNumber']>;
  /** Takes back a version by which no number was printed, such as one with a mistake; its texts are free again. Repeating it does nothing. */
  withdrawDocumentNumberFormat(variables: WithdrawDocumentNumberFormatMutationVariables, options?: CallOptions): Promise<WithdrawDocumentNumberFormatMutation['withdrawDocumentNumberFormat']>;
}

export const OPERATIONS: { readonly [Name in keyof Methods]: Operation } = {
  acceptCounterRegression: { kind: 'mutation', field: 'acceptCounterRegression', text: 'mutation AcceptCounterRegression($input:AcceptCounterRegressionInput!){acceptCounterRegression(input:$input){lastNumber highWaterMark}}' },
  acceptTrip: { kind: 'mutation', field: 'acceptTrip', text: 'mutation AcceptTrip($input:AnswerOfferInput!){acceptTrip(input:$input){__typename ...TripRefusalFields ...on TripAccepted{tripId driverId offerEpoch acceptedAt}...on DriverBusy{activeTripId}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}...on TripUndecided{retryAfterMs}}}fragment TripRefusalFields on TripRefusal{message tripId}' },
  archiveDocumentNumbers: { kind: 'mutation', field: 'archiveDocumentNumbers', text: 'mutation ArchiveDocumentNumbers($input:DocumentTypeInput!){archiveDocumentNumbers(input:$input){counterCount numberCount}}' },
  assignDocumentNumber: { kind: 'mutation', field: 'assignDocumentNumber', text: 'mutation AssignDocumentNumber($input:AssignDocumentNumberInput!){assignDocumentNumber(input:$input){__typename ...DocumentNumberFields ...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  blockDocumentSeries: { kind: 'mutation', field: 'blockDocumentSeries', text: 'mutation BlockDocumentSeries($input:BlockDocumentSeriesInput!){blockDocumentSeries(input:$input){...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  broadcastTrip: { kind: 'mutation', field: 'broadcastTrip', text: 'mutation BroadcastTrip($input:BroadcastTripInput!){broadcastTrip(input:$input){__typename ...TripRefusalFields ...on TripBroadcast{trip{...TripFields}}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  cancelDocumentNumber: { kind: 'mutation', field: 'cancelDocumentNumber', text: 'mutation CancelDocumentNumber($input:CancelDocumentNumberInput!){cancelDocumentNumber(input:$input){...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  cancelTrip: { kind: 'mutation', field: 'cancelTrip', text: 'mutation CancelTrip($input:CancelTripInput!){cancelTrip(input:$input){__typename ...TripRefusalFields ...on TripCancelled{trip{...TripFields}}...on TripRedispatched{trip{...TripFields}}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  completeTrip: { kind: 'mutation', field: 'completeTrip', text: 'mutation CompleteTrip($input:TripInput!){completeTrip(input:$input){__typename ...TripRefusalFields ...on TripCompleted{trip{...TripFields}}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  confirmDocumentNumber: { kind: 'mutation', field: 'confirmDocumentNumber', text: 'mutation ConfirmDocumentNumber($input:ConfirmDocumentNumberInput!){confirmDocumentNumber(input:$input){...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  correspondence: { kind: 'query', field: 'correspondence', text: 'query Correspondence($id:TSID!){correspondence(id:$id){...CorrespondenceFields project{id code name}type{id code name}organization{id code name}discipline{id code name}}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}' },
  correspondenceTypes: { kind: 'query', field: 'correspondenceTypes', text: 'query CorrespondenceTypes($first:Int!=20$after:String){correspondenceTypes(first:$first after:$after){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  correspondences: { kind: 'query', field: 'correspondences', text: 'query Correspondences($filter:CorrespondenceFilter$first:Int!=20$after:String){correspondences(filter:$filter first:$first after:$after){edges{cursor node{...CorrespondenceFields}}pageInfo{hasNextPage endCursor}}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}' },
  createCorrespondence: { kind: 'mutation', field: 'createCorrespondence', text: 'mutation CreateCorrespondence($input:CreateCorrespondenceInput!){createCorrespondence(input:$input){__typename ...CorrespondenceFields ...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment CorrespondenceFields on Correspondence{id documentNumber subject body createdAt createdBy}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  createCorrespondenceType: { kind: 'mutation', field: 'createCorrespondenceType', text: 'mutation CreateCorrespondenceType($input:CodedRowInput!){createCorrespondenceType(input:$input){id code name}}' },
  createDiscipline: { kind: 'mutation', field: 'createDiscipline', text: 'mutation CreateDiscipline($input:CodedRowInput!){createDiscipline(input:$input){id code name}}' },
  createOrganization: { kind: 'mutation', field: 'createOrganization', text: 'mutation CreateOrganization($input:CodedRowInput!){createOrganization(input:$input){id code name}}' },
  createProject: { kind: 'mutation', field: 'createProject', text: 'mutation CreateProject($input:CodedRowInput!){createProject(input:$input){id code name}}' },
  defineDocumentSeries: { kind: 'mutation', field: 'defineDocumentSeries', text: 'mutation DefineDocumentSeries($input:DefineDocumentSeriesInput!){defineDocumentSeries(input:$input){...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  disciplines: { kind: 'query', field: 'disciplines', text: 'query Disciplines($first:Int!=20$after:String){disciplines(first:$first after:$after){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  documentNumber: { kind: 'query', field: 'documentNumber', text: 'query DocumentNumber($by:DocumentNumberBy!){documentNumber(by:$by){...DocumentNumberFields actor{id name}project{id code name}correspondence{id subject}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentNumberCounters: { kind: 'query', field: 'documentNumberCounters', text: 'query DocumentNumberCounters($filter:DocumentNumberCounterFilter$first:Int!=20$after:String){documentNumberCounters(filter:$filter first:$first after:$after){edges{cursor node{id typeCode organizationCode disciplineCode period lastNumber widthUsed limit perDay fullOn version updatedAt project{id code}}}pageInfo{hasNextPage endCursor}}}' },
  documentNumberEvents: { kind: 'query', field: 'documentNumberEvents', text: 'query DocumentNumberEvents($filter:DocumentNumberEventFilter$first:Int!=20$after:String){documentNumberEvents(filter:$filter first:$first after:$after){edges{cursor node{id type number sequence actorId actor{id name}reason facts occurredAt}}pageInfo{hasNextPage endCursor}}}' },
  documentNumberFormatCheck: { kind: 'query', field: 'documentNumberFormatCheck', text: 'query DocumentNumberFormatCheck($input:CheckDocumentNumberFormatInput!){documentNumberFormatCheck(input:$input){__typename ...on DocumentNumberFormatValid{version}...on DocumentNumberFormatFault{message position}...on DocumentNumberFormatAmbiguous{first second example}}}' },
  documentNumberFormats: { kind: 'query', field: 'documentNumberFormats', text: 'query DocumentNumberFormats($projectId:TSID){documentNumberFormats(projectId:$projectId){...DocumentNumberFormatFields}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template overflow validFrom validUntil createdAt project{id code}}' },
  documentNumberIssued: { kind: 'subscription', field: 'documentNumberIssued', text: 'subscription DocumentNumberIssued($projectId:TSID){documentNumberIssued(projectId:$projectId){...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentNumberPreview: { kind: 'query', field: 'documentNumberPreview', text: 'query DocumentNumberPreview($input:DocumentSeriesInput!){documentNumberPreview(input:$input){number sequence period formatVersion promised}}' },
  documentNumbers: { kind: 'query', field: 'documentNumbers', text: 'query DocumentNumbers($filter:DocumentNumberFilter$first:Int!=20$after:String){documentNumbers(filter:$filter first:$first after:$after){edges{cursor node{...DocumentNumberFields}}pageInfo{hasNextPage endCursor}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  documentSeries: { kind: 'query', field: 'documentSeries', text: 'query DocumentSeries($projectCode:String){documentSeries(projectCode:$projectCode){...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  generateTsids: { kind: 'mutation', field: 'generateTsids', text: 'mutation GenerateTsids($count:Int!=1){generateTsids(count:$count)}' },
  importDocumentNumbers: { kind: 'mutation', field: 'importDocumentNumbers', text: 'mutation ImportDocumentNumbers($input:ImportDocumentNumbersInput!){importDocumentNumbers(input:$input){imported rowCount recordedHoleCount problemCount problems{code row message}}}' },
  issueDocumentNumber: { kind: 'mutation', field: 'issueDocumentNumber', text: 'mutation IssueDocumentNumber($input:IssueDocumentNumberInput!){issueDocumentNumber(input:$input){__typename ...DocumentNumberFields ...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  issueDocumentNumbers: { kind: 'mutation', field: 'issueDocumentNumbers', text: 'mutation IssueDocumentNumbers($input:IssueDocumentNumbersInput!){issueDocumentNumbers(input:$input){__typename ...on DocumentNumbersIssued{documentNumbers{...DocumentNumberFields}}...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  nodeFleet: { kind: 'query', field: 'nodeFleet', text: 'query NodeFleet($state:FleetNodeState){nodeFleet{nodeCount heldNodeCount freeNodeCount quarantineLeftMs readAt nodes(state:$state){node state holder isMine heldFrom heldUntil secondsLeft}}}' },
  organizations: { kind: 'query', field: 'organizations', text: 'query Organizations($first:Int!=20$after:String){organizations(first:$first after:$after){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  overview: { kind: 'query', field: 'overview', text: 'query Overview{overview{process startedAt node leaseSecondsLeft idCount parts{name isUp awaySeconds problem}outbox{waitingCount oldestSeconds}databaseConnections{usedCount idleCount waitingCount}buckets{from seconds operationCount operationP50Ms operationP99Ms refusedCount failedCount idCount numberCount commitP50Ms commitP99Ms numberConflictCount numberFallbackCount regressionCount acceptCount acceptP50Ms acceptP99Ms tripsWonCount gateFailureCount partsAway}}}' },
  projects: { kind: 'query', field: 'projects', text: 'query Projects($first:Int!=20$after:String){projects(first:$first after:$after){edges{cursor node{id code name}}pageInfo{hasNextPage endCursor}}}' },
  reconcileDocumentNumbers: { kind: 'mutation', field: 'reconcileDocumentNumbers', text: 'mutation ReconcileDocumentNumbers($input:ReconcileDocumentNumbersInput!){reconcileDocumentNumbers(input:$input){kind counter count example first last lastNumber highWaterMark widthUsed}}' },
  rejectTrip: { kind: 'mutation', field: 'rejectTrip', text: 'mutation RejectTrip($input:AnswerOfferInput!){rejectTrip(input:$input){__typename ...TripRefusalFields ...on TripRejected{tripId offerEpoch}...on TripAccepted{tripId driverId offerEpoch acceptedAt}...on NotOffered{reason}...on StaleOffer{offerEpoch currentEpoch}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}' },
  replaceDocumentNumber: { kind: 'mutation', field: 'replaceDocumentNumber', text: 'mutation ReplaceDocumentNumber($input:ReplaceDocumentNumberInput!){replaceDocumentNumber(input:$input){__typename ...on DocumentNumberReplaced{voided{...DocumentNumberFields}replacement{...DocumentNumberFields}}...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  reportArrival: { kind: 'mutation', field: 'reportArrival', text: 'mutation ReportArrival($input:TripInput!){reportArrival(input:$input){__typename ...TripRefusalFields ...on DriverArrived{trip{...TripFields}}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  reportNoShow: { kind: 'mutation', field: 'reportNoShow', text: 'mutation ReportNoShow($input:TripInput!){reportNoShow(input:$input){__typename ...TripRefusalFields ...on TripCancelled{trip{...TripFields}}...on NoShowTooEarly{allowedAt}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  requestTrip: { kind: 'mutation', field: 'requestTrip', text: 'mutation RequestTrip($input:RequestTripInput!){requestTrip(input:$input){...TripFields}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  reserveDocumentNumber: { kind: 'mutation', field: 'reserveDocumentNumber', text: 'mutation ReserveDocumentNumber($input:ReserveDocumentNumberInput!){reserveDocumentNumber(input:$input){__typename ...on DocumentNumberReservation{token expiresAt documentNumber{...DocumentNumberFields}}...NumberRefusalFields ...on NumbersExhausted{limit}...on PeriodClosed{period}...on SeriesBlocked{blockedReason:reason}}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}fragment NumberRefusalFields on DocumentNumberRefusal{message}' },
  saveDefaultDocumentNumberFormat: { kind: 'mutation', field: 'saveDefaultDocumentNumberFormat', text: 'mutation SaveDefaultDocumentNumberFormat($input:SaveDefaultDocumentNumberFormatInput!){saveDefaultDocumentNumberFormat(input:$input){...DocumentNumberFormatFields}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template overflow validFrom validUntil createdAt project{id code}}' },
  saveDocumentNumberFormat: { kind: 'mutation', field: 'saveDocumentNumberFormat', text: 'mutation SaveDocumentNumberFormat($input:SaveDocumentNumberFormatInput!){saveDocumentNumberFormat(input:$input){...DocumentNumberFormatFields}}fragment DocumentNumberFormatFields on DocumentNumberFormat{version typeCode template overflow validFrom validUntil createdAt project{id code}}' },
  skipDocumentNumbers: { kind: 'mutation', field: 'skipDocumentNumbers', text: 'mutation SkipDocumentNumbers($input:SkipDocumentNumbersInput!){skipDocumentNumbers(input:$input){skippedCount}}' },
  startTrip: { kind: 'mutation', field: 'startTrip', text: 'mutation StartTrip($input:TripInput!){startTrip(input:$input){__typename ...TripRefusalFields ...on TripStarted{trip{...TripFields}}...on TripNotOpen{status}}}fragment TripRefusalFields on TripRefusal{message tripId}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  trip: { kind: 'query', field: 'trip', text: 'query Trip($id:TSID!){trip(id:$id){...TripFields}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  tripAttempts: { kind: 'query', field: 'tripAttempts', text: 'query TripAttempts($tripId:TSID!){tripAttempts(tripId:$tripId){offerEpoch outcome count}}' },
  tripHistory: { kind: 'query', field: 'tripHistory', text: 'query TripHistory($tripId:TSID!$afterRevision:Int!=0$first:Int!=100){tripHistory(tripId:$tripId afterRevision:$afterRevision first:$first){...TripEventFields}}fragment TripEventFields on TripEvent{id tripId type status revision offerEpoch driverId reason occurredAt}' },
  tripOffered: { kind: 'subscription', field: 'tripOffered', text: 'subscription TripOffered{tripOffered{id tripId offerEpoch state expiresAt}}' },
  tripUpdated: { kind: 'subscription', field: 'tripUpdated', resumes: true, text: 'subscription TripUpdated($tripId:TSID!$afterRevision:Int!){tripUpdated(tripId:$tripId afterRevision:$afterRevision){...TripEventFields}}fragment TripEventFields on TripEvent{id tripId type status revision offerEpoch driverId reason occurredAt}' },
  trips: { kind: 'query', field: 'trips', text: 'query Trips($filter:TripFilter$first:Int!=20$after:String){trips(filter:$filter first:$first after:$after){edges{cursor node{...TripFields}}pageInfo{hasNextPage endCursor}}}fragment TripFields on Trip{id status revision riderId driverId offerEpoch offerExpiresAt requestedAt offerAt acceptedAt arrivedAt startedAt endedAt cancelReason pickup{latitude longitude address}dropoff{latitude longitude address}}' },
  tsid: { kind: 'query', field: 'tsid', text: 'query Tsid($id:TSID!){tsid(id:$id){id time node sequence base62 crockford}}' },
  tsidReadings: { kind: 'query', field: 'tsidReadings', text: 'query TsidReadings($text:String!){tsidReadings(text:$text){spelling tsid{id time node sequence base62 crockford hex holder{holder heldFrom heldUntil}}}}' },
  unblockDocumentSeries: { kind: 'mutation', field: 'unblockDocumentSeries', text: 'mutation UnblockDocumentSeries($input:DocumentTypeInput!){unblockDocumentSeries(input:$input){...DocumentSeriesFields}}fragment DocumentSeriesFields on DocumentSeries{id typeCode revision reset timeZone startAt dateOrder closedUntil openUntil fiscalStartMonth fiscalYearNamedBy manualInterval{first last}endAt blockedReason authorityCode project{id code}}' },
  updateDriverPosition: { kind: 'mutation', field: 'updateDriverPosition', text: 'mutation UpdateDriverPosition($input:UpdateDriverPositionInput!){updateDriverPosition(input:$input){countsForMs}}' },
  voidDocumentNumber: { kind: 'mutation', field: 'voidDocumentNumber', text: 'mutation VoidDocumentNumber($input:VoidDocumentNumberInput!){voidDocumentNumber(input:$input){...DocumentNumberFields}}fragment DocumentNumberFields on DocumentNumber{id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard retryCount waitedMs reason replacedBy issuedAt actorId commitId expiresAt idempotencyKey}' },
  withdrawDocumentNumberFormat: { kind: 'mutation', field: 'withdrawDocumentNumberFormat', text: 'mutation WithdrawDocumentNumberFormat($input:WithdrawDocumentNumberFormatInput!){withdrawDocumentNumberFormat(input:$input){__typename ...on DocumentNumberFormatWithdrawn{version}...on DocumentNumberFormatInUse{version message}}}' },
};
