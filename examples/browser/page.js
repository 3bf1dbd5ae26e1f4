// Issues a document number. A request that timed out is sent again with the same key, so no number is lost or issued twice.
import { createClient, SolegateError } from '@solegate/client';

const gateway = new URLSearchParams(location.search).get('gateway') ?? 'http://127.0.0.1:4000/graphql';
const client = createClient({ url: gateway });
const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };

document.getElementById('issue').onclick = async () => {
  const number = document.getElementById('number');
  try {
    const result = await client.issueDocumentNumber({ input: series });
    number.textContent = result.__typename === 'DocumentNumber' ? result.number : result.message;
  } catch (error) {
    if (!(error instanceof SolegateError)) throw error;
    number.textContent = error.outcomeUnknown ? 'Nobody knows yet. Ask again.' : error.message;
  }
};
