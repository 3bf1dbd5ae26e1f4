// Writes src/generated from the printed schema of the gateway and the documents of operations/: types, the texts that the
// client sends, a manifest of them for gateways that run no others, and the documents for Apollo Client and urql. With --check it writes nothing and fails where a file differs.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  isAbstractType,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const inPackage = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SCHEMA = inPackage('../../apps/gateway/schema.graphql');
const HEADER = '// Written by scripts/generate.mjs; change operations/*.graphql and run `pnpm generate`.\n';

const text = { input: 'string', output: 'string' };
const SCALARS = {
  TSID: { input: 'Tsid', output: 'Tsid' },
  LocalDate: text,
  DateTimeISO: text,
  SafeInt: { input: 'number', output: 'number' },
  JSONObject: { input: 'JsonObject', output: 'JsonObject' },
};

const schemaText = readFileSync(SCHEMA, 'utf8');
const schema = buildSchema(schemaText);
const { definitions } = readDocuments();
const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);

const files = {
  'types.ts': await generateTypes(),
  'documents.ts': await generateDocuments(),
  'operations.ts': generateOperations(),
};
const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) settle(inPackage(`src/generated/${name}`), text);
settle(inPackage('documents.json'), generateManifest());

/** All documents as one, valid, each name once. */
function readDocuments() {
  const folder = inPackage('operations/');
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const document = parse(
    names
      .sort()
      .map((name) => readFileSync(folder + name, 'utf8'))
      .join('\n'),
  );
  const errors = validate(schema, document);
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  return withTypeNames(document);
}

/** What is one of several types says which one it is. */
function withTypeNames(document) {
  const types = new TypeInfo(schema);
  const typeName = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
  const isTypeName = ({ kind, name }) => kind === Kind.FIELD && name.value === '__typename';
  return visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet(node, _key, parent) {
        if (!isAbstractType(types.getParentType()) || parent.kind !== Kind.FIELD) return undefined;
        if (node.selections.some(isTypeName)) return undefined;
        return { ...node, selections: [typeName, ...node.selections] };
      },
    }),
  );
}

/** Types of inputs and answers; whoever uses the client alone needs no types of graphql-js for them. */
async function generateTypes() {
  const text = inlineUnnamed(await run({ plugin: operationTypes, filename: 'types.ts' }));
  return `${HEADER}import type { JsonObject, Tsid } from '../contract/scalars.js';\n\n${text.trim()}\n`;
}

/** Refusals are written out where they are returned: the types of their fragments are not exported. */
function inlineUnnamed(text) {
  const fragments = new Map(
    Array.from(text.matchAll(/^type (\w+_Fragment) = \{ (.*) \};$/gm), ([, name, fields]) => [name, fields]),
  );
  const member = /\(\s*\{ (readonly __typename: '\w+') \}\s*& (\w+_Fragment)\s*\)/g;
  return text.replaceAll(member, (_whole, typeName, name) => `{ ${typeName}, ${fragments.get(name)} }`);
}

/** A document for each operation: data, so that nothing is parsed at run time. */
async function generateDocuments() {
  const text = await run({ plugin: typedDocuments, filename: 'documents.ts' });
  // The plugin's own import would be a package more to install.
  const body = text
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(
      /export const (\w+) = (.*) as unknown as DocumentNode<(\w+, \w+)>;/g,
      'export const $1: TypedDocument<$3> = $2 as never;',
    );
  const types = (await generateTypes()).matchAll(/^export type (\w+)/gm);
  // One a line, so that two branches that add operations merge.
  const names = Array.from(types, ([, name]) => `\n  ${name},`).join('');
  return `${HEADER}import type { TypedDocument } from '../contract/typed-document.js';
import type {${names}
} from './types.js';

export type {${names}
};

${body.trim()}
`;
}

function run({ plugin, filename }) {
  return codegen({
    filename,
    schema: parse(schemaText),
    documents: [{ document: { kind: Kind.DOCUMENT, definitions } }],
    config: {
      scalars: SCALARS,
      skipTypename: true,
      enumType: 'string-literal',
      immutableTypes: true,
      useTypeImports: true,
      documentMode: 'documentNode',
      inlineFragmentTypes: 'combine',
    },
    plugins: [{ plugin: {} }],
    pluginMap: { plugin },
  });
}

/** What the client sends, as text, and its methods as an interface. */
function generateOperations() {
  const all = operations.map(describe).sort((one, other) => (one.method < other.method ? -1 : 1));
  const types = all.flatMap(({ type }) => [type, `${type}Variables`]);
  const methods = all.map(
    ({ doc, method, parameters, answer }) => `  /** ${doc} */\n  ${method}(${parameters}): ${answer};`,
  );
  const fields = new Set(all.filter(({ kind }) => kind === 'mutation').map(({ field }) => `'${field}'`));
  const rows = all.map(
    ({ method, kind, field, resumes, id, text }) =>
      `  ${method}: { kind: '${kind}', field: '${field}',${resumes ? ` resumes: '${resumes}',` : ''} id: '${id}', text: ${quoted(text)} },`,
  );
  return `${HEADER}import type { CallOptions, Operation, SubscribeOptions } from '../contract/operation.js';
import type {${types.map((name) => `\n  ${name},`).join('')}
} from './types.js';

export type MutationField = ${[...fields].join(' | ')};

/** One method for each document of operations/, named as the document. */
export interface Methods {
${methods.join('\n')}
}

export const OPERATIONS: { readonly [Name in keyof Methods]: Operation } = {
${rows.join('\n')}
};
`;
}

/** Apollo's persisted-query manifest. */
function generateManifest() {
  const all = operations
    .map(describe)
    .map(({ id, name, kind, text }) => ({ id, name, type: kind, body: text }));
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations: all };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** Short, because every page that uses the client loads all of them; 66 bits of a hash do not collide by accident. */
function idOf(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}

function describe(operation) {
  const { name, operation: kind, selectionSet, variableDefinitions = [] } = operation;
  if (name === undefined) throw new Error('An operation without a name has no method');
  const method = name.value[0].toLowerCase() + name.value.slice(1);
  const type = `${name.value}${kind[0].toUpperCase()}${kind.slice(1)}`;
  const roots = selectionSet.selections;
  const [first] = roots;
  const result = roots.length === 1 ? `${type}['${(first.alias ?? first.name).value}']` : type;
  const isNeeded = variableDefinitions.some(
    (one) => one.type.kind === Kind.NON_NULL_TYPE && !one.defaultValue,
  );
  const isStream = kind === 'subscription';
  const text = textOf(operation);
  return {
    method,
    name: name.value,
    kind,
    type,
    field: first.name.value,
    doc: roots.map((root) => descriptionOf(kind, root.name.value)).join(' '),
    parameters: `variables${isNeeded ? '' : '?'}: ${type}Variables, options?: ${isStream ? 'SubscribeOptions' : 'CallOptions'}`,
    answer: isStream ? `AsyncIterableIterator<${result}>` : `Promise<${result}>`,
    resumes:
      isStream &&
      variableDefinitions.map(({ variable }) => variable.name.value).find((name) => name.startsWith('after')),
    id: idOf(text),
    text,
  };
}

function descriptionOf(kind, field) {
  const root = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return root[kind].getFields()[field].description.replaceAll(/\s+/g, ' ').trim();
}

/** An operation with the fragments that it uses, and nothing that could be left out. */
function textOf(operation) {
  const used = new Map();
  const collect = (node) =>
    visit(node, {
      FragmentSpread({ name: { value } }) {
        if (used.has(value)) return;
        const fragment = definitions.find(
          (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === value,
        );
        used.set(value, fragment);
        collect(fragment);
      },
    });
  collect(operation);
  return stripIgnoredCharacters([operation, ...used.values()].map(print).join('\n'));
}

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function settle(path, text) {
  if (!isCheck) return writeFileSync(path, text);
  if (readFileSync(path, 'utf8') === text) return;
  console.error(
    `${path} does not fit operations/ and ${SCHEMA}; run: pnpm --filter @solegate/client generate`,
  );
  process.exitCode = 1;
}
