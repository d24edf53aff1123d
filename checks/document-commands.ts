import { globSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** A fenced block of a document, or a span of code in its text. */
interface CodeBlock {
  path: string;
  /** `sh`, `yaml`, `json`, `text` … of a block, `span` in the text. */
  language: string;
  text: string;
}

/** A simple command: its variables, then the program with its arguments. */
export interface ShellCommand {
  path: string;
  variables: Record<string, string>;
  words: string[];
}

/** Documents whose commands are checked. */
const DOCUMENTS = ['README.md', ...globSync('docs/*.md'), ...globSync('docs/{de,es,fr}/*.md')];

/** Programs that begin a command where they begin a span. */
const PROGRAM = /^(?:[A-Z_]+=\S+ )*(?:hindsight|npm|npx|node|curl|podman|kubectl|helm|apt-get) [\w.\-@/]/;

/** Lists the blocks and spans of code of all documents. */
export function listCodeBlocks(): CodeBlock[] {
  return DOCUMENTS.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
    const rest = text.replace(/^```\w*\n[\s\S]*?^```$/gm, '');
    return [
      ...blocks.map(([, language = '', block = '']) => ({ path, language, text: block })),
      ...[...rest.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span = '']) => ({
        path,
        language: 'span',
        text: span.replaceAll('\n', ' ').replaceAll('\\|', '|'),
      })),
    ];
  });
}

/** Lists the commands of blocks of shell, of the scripts in blocks of YAML, and of spans that begin with a program. */
export function listCommands(blocks: CodeBlock[]): ShellCommand[] {
  return blocks.flatMap(({ path, language, text }) => {
    if (language === 'sh') return parseShell(path, text);
    if (language === 'yaml') return listScripts(text).flatMap((script) => parseShell(path, script));
    return language === 'span' && PROGRAM.test(text) ? parseShell(path, text) : [];
  });
}

/** Scripts of the workflows of GitHub and the jobs of GitLab. */
function listScripts(yaml: string): string[] {
  const scripts: string[] = [];
  const collect = (value: unknown, key = '') => {
    if (typeof value === 'string' && /^(?:run|script|before_script|after_script)$/.test(key))
      scripts.push(value.replace(/\$\{\{.*?\}\}/g, 'VALUE'));
    else if (Array.isArray(value)) for (const one of value) collect(one, key);
    else if (value && typeof value === 'object')
      for (const [name, one] of Object.entries(value)) collect(one, name);
  };
  for (const document of parseAllDocuments(yaml)) collect(document.toJS());
  return scripts;
}

/** Words, operators and redirections of a shell text; comments and line continuations are dropped. */
const TOKEN =
  /\\\n|(?<=^|\s)#[^\n]*|\n|&&|\|\||[|;&]|\d?>>?(?:&\d)?|<|((?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^)]*\)|\\.|[^\s'"|;&<>\\])+)/g;

/** Parses the commands of a text of pipelines and lists, without compound commands. */
export function parseShell(path: string, text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let isTarget = false;
  const end = () => {
    if (words.length > 0) commands.push({ path, ...splitVariables(words) });
    words = [];
  };
  for (const [token, word] of text.matchAll(TOKEN)) {
    if (/^\d?>>?$|^<$/.test(token)) isTarget = true;
    else if (word !== undefined && isTarget) isTarget = false;
    else if (word !== undefined) words.push(unquote(word));
    else if (/^(?:\n|&&|\|\||[|;&])$/.test(token)) end();
  }
  end();
  return commands;
}

function splitVariables(words: string[]): Pick<ShellCommand, 'variables' | 'words'> {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const assignments = first < 0 ? words : words.slice(0, first);
  const variables = assignments.map((word) => word.split(/=(.*)/s).slice(0, 2));
  return { variables: Object.fromEntries(variables), words: first < 0 ? [] : words.slice(first) };
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"/gs,
    (_, single, double) => single ?? double.replace(/\\(.)/g, '$1'),
  );
}
