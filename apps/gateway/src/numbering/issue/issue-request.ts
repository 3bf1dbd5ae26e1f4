import type { IssueRequest } from '@solegate/doc-numbering';
import { given } from '../../graphql/given.js';
import { checkKey } from '../../graphql/idempotency-key.js';
import type { Identity } from '../../identity/identity.js';
import type { MasterData } from '../../master-data/master-data.js';
import { seriesAddressOf } from '../series/series-address.js';
import type { IssueDocumentNumberInput } from './issue.inputs.js';

/** @throws {GatewayError} UNKNOWN_CODE, IDEMPOTENCY_KEY */
export async function issueRequestOf(
  input: IssueDocumentNumberInput,
  data: MasterData,
  identity: Identity,
): Promise<IssueRequest> {
  const { idempotencyKey: key, reason } = input;
  checkKey(key);
  return {
    ...(await seriesAddressOf(input, data, identity)),
    actor: String(identity.subjectId),
    ...given({ key, reason }),
  };
}
