import { readText } from './deployment-files.js';

/** The text of a page of docs/operations. */
export const pageText = (name: string): string => readText(`../docs/operations/${name}`);

/** The code block of a page that contains the text, without the indentation of its list. */
export function blockOf(name: string, language: string, part: string): string {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm');
  const blocks = [...pageText(name).matchAll(fence)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  const found = blocks.find((code) => code.includes(part));
  if (found === undefined) throw new Error(`${name} has no ${language} with "${part}"`);
  return found;
}

/** What the row of a table that begins with the text has between backquotes, after its first cell. */
export function codeOfRow(name: string, first: string): string[] {
  const row = pageText(name)
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`));
  if (row === undefined) throw new Error(`${name} has no row "${first}"`);
  return [...row.slice(first.length + 4).matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
