import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

/** Reads the files of the folder `docker`, and those that must agree with them. */

export const dockerFolder = new URL('../', import.meta.url);

export function readText(path: string): string {
  return readFileSync(new URL(path, dockerFolder), 'utf8');
}

/** One service of compose.yaml, merge keys resolved. */
export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly [other: string]: unknown;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export function readCompose(): ComposeFile {
  return parse(readText('compose.yaml'), { merge: true }) as ComposeFile;
}

export function composeService(name: string): ComposeService {
  const service = readCompose().services[name];
  if (!service) throw new Error(`compose.yaml has no service ${name}`);
  return service;
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?why}`, and `$$`, as docker compose does. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (all, name, operator, word) => {
    if (all === '$$') return '$';
    const value = variables[name];
    if (value) return value;
    if (operator === '-') return word;
    throw new Error(operator === '?' ? `${name}: ${word}` : `${name} is not set`);
  });
}

/** `NAME=value` lines. */
export function readVariables(path: string): Record<string, string> {
  return Object.fromEntries(
    [...readText(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

/** Every variable that the gateway reads, and those that can be read from files. */
export function gatewayVariableNames(): string[] {
  const names = Object.keys(readVariables('../apps/gateway/.env.example'));
  return [
    ...names,
    ...['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_PUBLIC_KEY'].map((name) => `${name}_FILE`),
  ];
}

/** The kinds of objects in kubernetes.yaml. */
export function kubernetesKinds(): string[] {
  return [...readKubernetes().keys()];
}

/**
 * Returns the value at a path of the object of a kind, such as `spec.template.spec.containers.0.image`.
 *
 * @throws Error if there is no value
 */
export function kubernetesValue(kind: string, path: string): unknown {
  let value: unknown = readKubernetes().get(kind);
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null)
      throw new Error(`kubernetes.yaml: no ${path} in ${kind}`);
    value = Reflect.get(value, step);
  }
  if (value === undefined) throw new Error(`kubernetes.yaml: no ${path} in ${kind}`);
  return value;
}

function readKubernetes(): Map<string, unknown> {
  const documents = parseAllDocuments(readText('kubernetes.yaml'));
  return new Map(documents.map((document) => [String(document.get('kind')), document.toJS()]));
}
