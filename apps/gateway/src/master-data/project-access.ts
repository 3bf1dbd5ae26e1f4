import { badInput, forbidden, type GatewayError } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import type { Project } from './coded-row.js';
import type { MasterData } from './master-data.js';

/** Whether the token names this project. */
function mayUseProject(code: string, { projects }: Identity): boolean {
  return projects === 'ALL' || projects.has(code);
}

/**
 * Returns the project of a code, for a caller whose token names it. Other callers cannot see whether it exists.
 *
 * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE
 */
export async function projectOf(code: string, data: MasterData, identity: Identity): Promise<Project> {
  return (await findProject(code, data, identity)) ?? data.projects.get(code);
}

/** Does the same, but returns undefined if there is no such project. @throws {GatewayError} NOT_YOUR_PROJECT */
export async function findProject(code: string, data: MasterData, identity: Identity) {
  if (!mayUseProject(code.normalize('NFC'), identity)) throw foreignProject();
  return data.projects.find(code);
}

/**
 * Returns the project to list; undefined: every project, for callers who can access them all. For a caller with one
 * project, it is that one.
 *
 * @throws {GatewayError} NOT_YOUR_PROJECT, UNKNOWN_CODE, PROJECT_NEEDED
 */
export async function projectOfList(
  code: string | null | undefined,
  data: MasterData,
  identity: Identity,
): Promise<Project | undefined> {
  if (code !== undefined && code !== null) return projectOf(code, data, identity);
  const { projects } = identity;
  if (projects === 'ALL') return undefined;
  const [only, another] = projects;
  if (only !== undefined && another === undefined) return data.projects.get(only);
  if (only === undefined) throw foreignProject();
  throw projectNeeded();
}

/** The refusal of a list over several projects that cannot be read as one. */
export function projectNeeded(): GatewayError {
  return badInput('PROJECT_NEEDED', 'Name one of your projects.');
}

/** Whether the caller can access a row of this project. A row of another one is to be reported as if there were none. */
export async function isOfCaller(projectId: bigint, data: MasterData, identity: Identity): Promise<boolean> {
  if (identity.projects === 'ALL') return true;
  const project = await data.projects.findById(projectId);
  return project !== undefined && identity.projects.has(project.code);
}

/** Checks access to a project that the caller named by its ID. @throws {GatewayError} NOT_YOUR_PROJECT */
export async function checkProject(projectId: bigint, data: MasterData, identity: Identity): Promise<void> {
  if (!(await isOfCaller(projectId, data, identity))) throw foreignProject();
}

function foreignProject(): GatewayError {
  return forbidden('NOT_YOUR_PROJECT', 'Your token does not name this project; obtain a token that does.');
}
