// The word rule for comments of SQL and Lua, which are text to the linters: they stand in template literals. Rejects the
// words of the lint rule, and some more. What was there before the rule is listed in word-debts.json, by the subject whose
// work removes it; an entry that is not found must leave the list, so the list only gets shorter.
// Usage: node scripts/check-words.mjs [folder of a checkout]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';

const MORE_TERMS = [
  'anew',
  'for ever',
  'hole',
  'in vain',
  'let go of',
  'shall',
  'somebody',
  'these days',
  'whoever',
];
const LINE_COMMENT = /(?<!<!)--(?=\s)(.*)$/gm;
const BLOCK_COMMENT = /\/\*(.*?)\*\//gs;

const root = resolve(process.argv[2] ?? '.');
const rejected = new RegExp(`\\b(?:${[...lintTerms(), ...MORE_TERMS].join('|')})\\b`, 'i');
const found = sources().flatMap((file) => wordsIn(file).map((line) => `${file}: ${line}`));
const debts = Object.values(readJson('scripts/word-debts.json')).flatMap((files) =>
  Object.entries(files).flatMap(([file, lines]) => lines.map((line) => `${file}: ${line}`)),
);

const offences = without(found, debts);
const paid = without(debts, found);
if (offences.length > 0) {
  console.error(`Say it in the field's own terms (CONTRIBUTING.md):\n${offences.join('\n')}`);
}
if (paid.length > 0)
  console.error(`Remove from scripts/word-debts.json what is not there any more:\n${paid.join('\n')}`);
process.exitCode = offences.length + paid.length > 0 ? 1 : 0;
if (process.exitCode === 0) console.log(`no new offence, ${debts.length} debts`);

function lintTerms() {
  const rules = readJson('.oxlintrc.json').overrides.map(({ rules }) => rules['eslint/no-warning-comments']);
  return rules.flatMap((rule) => rule?.[1].terms ?? []);
}

function sources() {
  const patterns = ['*.ts', '*.mjs', '*.js', '*.sql', '*.lua'];
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  return files.filter((file) => file !== '' && !file.includes('/generated/'));
}

/** The comments of a file that have a rejected word, by their lines. */
function wordsIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  if (!rejected.test(text)) return [];
  const embedded = /\.(?:sql|lua)$/.test(file) ? [text] : templatesOf(text, file);
  const comments = embedded.flatMap((template) => [
    ...template.matchAll(LINE_COMMENT),
    ...template.matchAll(BLOCK_COMMENT),
  ]);
  const lines = comments.flatMap(([, comment]) => comment.split('\n')).map((line) => line.trim());
  return lines.filter((line) => rejected.test(line));
}

/** Every template literal of a program, with `…` where it has an expression. */
function templatesOf(text, file) {
  const syntax = file.endsWith('.ts') ? 'typescript' : 'ecmascript';
  const templates = [];
  const look = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node.quasis)) templates.push(node.quasis.map(({ raw }) => raw).join('…'));
    Object.values(node).forEach(look);
  };
  look(parseSync(text, { syntax, decorators: true, target: 'es2024' }));
  return templates;
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** The texts that are in `all` more often than in `some`. */
function without(all, some) {
  const rest = [...some];
  return all.filter((text) => {
    const index = rest.indexOf(text);
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
}
