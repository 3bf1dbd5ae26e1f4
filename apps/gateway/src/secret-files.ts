import { readFileSync } from 'node:fs';

/** Variables that contain secrets. Each can be read from a file instead, named by the variable plus `_FILE`. */
const SECRET_NAMES = [
  'DATABASE_URL',
  'REDIS_URL',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'JWT_PUBLIC_KEY',
] as const;

/** The variables that name those files. */
export const FILE_NAMES: readonly string[] = SECRET_NAMES.map((name) => `${name}_FILE`);

export interface ReadSecrets {
  /** The environment, with file contents under the plain names and without empty values. */
  readonly variables: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** Reads secrets from their files and trims them, because editors append a line break. */
export function readSecrets(environment: NodeJS.ProcessEnv): ReadSecrets {
  const variables = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const faults: string[] = [];
  for (const name of SECRET_NAMES) {
    const file = variables[`${name}_FILE`];
    if (file === undefined) continue;
    if (variables[name] !== undefined) {
      faults.push(`${name}: set it or ${name}_FILE, not both`);
      continue;
    }
    try {
      variables[name] = readFileSync(file, 'utf8').trim();
      if (variables[name] === '') faults.push(`${name}_FILE: ${file} is empty`);
    } catch (error) {
      faults.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { variables, faults };
}
