import { expect, test } from '@jest/globals';
import { FIRST_QUERY } from '../src/first-query.js';
import { gatewayOfFile } from './gateway-fixture.js';

const gateway = gatewayOfFile();

test('the first example of the README works, also a second time', async () => {
  for (const sequence of ['0001', '0002']) {
    const { status, data, errors } = await gateway.ask(FIRST_QUERY);
    expect(errors).toEqual([]);
    expect(status).toBe(200);
    expect(data.generateTsids.ids).toHaveLength(3);
    expect(data.issueDocumentNumber.number).toMatch(new RegExp(`^TEAM-RFA-STR-\\d{4}-${sequence}$`));
    expect(data.acceptTrip.__typename).toBe('TripAccepted');
  }
});
