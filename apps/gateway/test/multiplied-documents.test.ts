import { describe, expect, test } from '@jest/globals';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { pino } from 'pino';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { IncidentLog } from '../src/errors/incident-log.js';
import { DocumentReader, DocumentRefusal } from '../src/execution/document-reader.js';
import { withDefaults } from '../src/execution/operation-cost.js';
import { operationAccess } from '../src/identity/operation-access.js';

/** What a short document asks for many times costs no more than its text. */
function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the document has no operation');
  return operation;
}

/** Each fragment spreads the next one so many times. */
const multiplied = (times: number): string =>
  `{ ...A } ${['AB', 'BC', 'CD'].map(([one, next]) => `fragment ${one} on Query { ${`...${next} `.repeat(times)}}`).join(' ')}
  fragment D on Query { promises { promise } }`;

describe('fragments', () => {
  const accessOf = (text: string) => {
    const document = parse(text);
    return operationAccess(document, operationOf(document));
  };

  test('are looked at once, however often they are spread', () => {
    expect(accessOf(multiplied(20))).toMatchObject({ names: ['Query.promises'], weight: 1 });
  });

  test('are looked at although one of their spreads is skipped', () => {
    const { names } = accessOf(`query ($no: Boolean = false) {
      ...A @skip(if: true) ...A @include(if: $no) ... on Query { ...A }
    } fragment A on Query { nodeFleet { nodeCount } ...B @skip(if: true) } fragment B on Query { promises { promise } }`);
    expect(names).toEqual(['Query.nodeFleet', 'Query.promises']);
  });

  test('that select too much together are refused', async () => {
    const logger = pino({ level: 'silent' });
    const incidents = new IncidentLog(logger);
    const reader = await DocumentReader.start(buildGatewaySchema(), {
      introspection: true,
      incidents,
      logger,
    });
    expect(await reader.read(multiplied(5))).toMatchObject({ kind: Kind.DOCUMENT });
    const refusal = await reader.read(multiplied(148));
    expect(refusal).toBeInstanceOf(DocumentRefusal);
    expect(refusal).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
    await reader.stop();
  });
});

test('of many variables only those that the operation declares are looked at', () => {
  const others = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`other${index}`, 1]));
  const operation = operationOf(
    parse('query ($a: Int = 1, $b: Int = 2, $c: Int, $d: Int = 3) { __typename }'),
  );
  expect(withDefaults(operation, { ...others, b: 5, d: null })).toEqual({ a: 1, b: 5, d: null });
});
