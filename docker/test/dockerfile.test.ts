import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';

import { composeService, dockerFolder, readText } from './deployment-files.js';

const dockerfile = DockerfileParser.parse(readText('Dockerfile'));
const instructions = dockerfile.getInstructions();
const lastFrom = instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM');
const finalStage = instructions.slice(lastFrom);
const buildStage = instructions.slice(0, lastFrom);

function only(keyword: string): Instruction {
  const found = finalStage.filter((instruction) => instruction.getKeyword() === keyword);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} ${keyword} in the final stage`);
  return found[0];
}

function words(instruction: Instruction): string[] {
  return instruction.getArguments().map((argument) => argument.getValue());
}

test('builds in one stage and runs in a smaller one, on the same version of Node', () => {
  const bases = dockerfile.getFROMs().map((from) => from.getImage());
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of a Dockerfile
  expect(bases).toEqual(['node:${NODE_VERSION}-bookworm-slim', 'node:${NODE_VERSION}-alpine']);
});

test('runs as the user that the compose file names, who is not root', () => {
  expect(words(only('USER'))).toEqual(['node']);
  expect(composeService('gateway').user).toBe('node');
});

test('Node itself is process 1, so that SIGTERM reaches it', () => {
  expect(only('CMD').getRawArgumentsContent()).toBe('["node", "dist/main.js", "serve"]');
  expect(words(only('STOPSIGNAL'))).toEqual(['SIGTERM']);
});

test('checks liveness on the port that it listens on', () => {
  const port = composeService('gateway').environment?.PORT;
  expect(words(only('EXPOSE'))).toEqual([port]);
  expect(readText('Dockerfile')).toContain(`http://127.0.0.1:${port}/health/live`);
  expect(composeService('gateway').healthcheck?.test).toContain(`http://127.0.0.1:${port}/health/live`);
});

test('copies only the built gateway, not the workspace', () => {
  const copies = finalStage.filter((instruction): instruction is Copy => instruction.getKeyword() === 'COPY');
  expect(copies.length).toBeGreaterThan(0);
  for (const copy of copies) {
    expect(copy.getFlags().map((flag) => `${flag.getName()}=${flag.getValue()}`)).toEqual(['from=build']);
    expect(words(copy).at(0)).toMatch(/^\/gateway\//);
  }
});

test('contains no secret and downloads nothing with ADD', () => {
  for (const instruction of instructions) {
    expect(instruction.getKeyword()).not.toBe('ADD');
    if (!['ENV', 'ARG'].includes(instruction.getKeyword())) continue;
    expect(instruction.getRawArgumentsContent()).not.toMatch(/SECRET|PASSWORD|TOKEN|KEY/);
  }
});

test('installs by the lockfile, with the package manager of package.json', () => {
  const commands = buildStage
    .filter((instruction) => instruction.getKeyword() === 'RUN')
    .flatMap(words)
    .join(' ');
  expect(commands).toContain('--frozen-lockfile');
  expect(commands).toContain("require('./package.json').packageManager");
});

test('files that the build copies first exist in the checkout and in the build context', () => {
  const [manifests] = buildStage.filter((instruction) => instruction.getKeyword() === 'COPY');
  const sources = manifests ? words(manifests).slice(0, -1) : [];
  expect(sources.length).toBe(3);
  for (const source of sources) {
    expect(existsSync(new URL(`../${source}`, dockerFolder))).toBe(true);
    expect(ignoreRules()).toContain(`!${source}`);
  }
});

test('the build context lists only what is needed: no tests, builds or environments', () => {
  const rules = ignoreRules();
  expect(rules[0]).toBe('*');
  expect(rules).toEqual(
    expect.arrayContaining(['!apps/gateway', '!packages', '**/node_modules', '**/dist', '**/.env*']),
  );
  const lastAllowed = rules.findLastIndex((rule) => rule.startsWith('!'));
  expect(rules.indexOf('**/.env*')).toBeGreaterThan(lastAllowed);
});

test('the build context has every package that the gateway is built from, and what their compilers extend', () => {
  const root = fileURLToPath(new URL('../', dockerFolder));
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  const packages = folders.map((folder) => ({ folder, manifest: read(`${folder}/package.json`) }));
  const built = new Set(packages.filter(({ folder }) => folder === 'apps/gateway'));
  for (const { manifest } of built) {
    const needed = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const one of packages) if (one.manifest.name in needed) built.add(one);
  }
  expect(built.size).toBeGreaterThan(8);
  const isInContext = (path: string) =>
    ignoreRules().some((rule) => path === rule.slice(1) || path.startsWith(`${rule.slice(1)}/`));
  for (const { folder } of built) {
    const extended = readdirSync(join(root, folder))
      .filter((name) => name.startsWith('tsconfig'))
      .flatMap((name) => read(`${folder}/${name}`).extends ?? [])
      .map((path: string) => join(folder, path));
    for (const path of [folder, ...extended]) expect([path, isInContext(path)]).toEqual([path, true]);
  }
});

/** BuildKit prefers the ignore file named after the Dockerfile to the one in the root. */
function ignoreRules(): string[] {
  return readText('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
