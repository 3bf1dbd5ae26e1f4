import { readFileSync } from 'node:fs';

/** Variables with a secret in them: each may be given as a file instead, by its name with _FILE behind it. */
const SECRET_NAMES = ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'JWT_PUBLIC_KEY'] as const;

export interface ReadSecrets {
  /** The environment with the content of the files under the plain names; empty values are left out. */
  readonly variables: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** Reads the secrets that are named by file, without the line break that editors leave at the end. */
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
