import { TOOLS } from '#assistant/tools/registry.ts';

/** Commands with their descriptions, in the order of the help. */
const COMMAND_DESCRIPTIONS: Record<string, string> = {
  'debug < trace.txt':
    'find where an error comes from, which commit may have caused it, how it was fixed before',
  'ask QUESTION': 'who, when, why, where defined, where used, what changed since, what changes together',
  'search WORDS': 'ranked passages of code, and commits',
  mcp: 'serve the tools below to an MCP client over standard input and output',
  'connect URL': 'connect a repository to a server and wait until it has been read (--name NAME)',
  serve: 'start the server',
  worker: 'work in the background for a server (needs DATABASE_URL)',
  migrate: 'bring the database up to date',
  'completion SHELL': 'print the completion of bash, zsh or fish',
  help: 'print this',
};

/** Options of the query commands. */
const OPTIONS = {
  '--repo DIR': 'a repository here (the current folder): no server and no database is needed',
  '--server URL': 'ask a server instead (or HINDSIGHT_SERVER), with the key in HINDSIGHT_API_KEY',
  '--project NAME': 'the project of the server, by id or name',
  '--json': 'print JSON',
  '--limit N': 'how many at most',
};

/** Formats the help text. */
export function formatHelp(): string {
  const tools = Object.fromEntries(TOOLS.map(({ name, summary }) => [name.replaceAll('_', '-'), summary]));
  return [
    'hindsight COMMAND [OPTIONS]   ask a git repository why it is broken, and why it is the way it is',
    '',
    ...formatTable(COMMAND_DESCRIPTIONS),
    '',
    'Tools, for a repository here; options have the names of their fields (hindsight TOOL --help):',
    ...formatTable(tools),
    '',
    'Options:',
    ...formatTable(OPTIONS),
    '',
    'Exit codes: 0 answered, 1 nothing found or too thin to name a cause, 2 typed wrongly, 3 failed.',
  ].join('\n');
}

function formatTable(rows: Record<string, string>): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2;
  return Object.entries(rows).map(([name, what]) => `  ${name.padEnd(width)}${what}`);
}

/** Returns the completion script of a shell; null for unknown shells. */
export function completionScript(shell: string): string | null {
  const names = [
    ...Object.keys(COMMAND_DESCRIPTIONS).map((name) => name.split(' ')[0]!),
    ...TOOLS.map(({ name }) => name.replaceAll('_', '-')),
  ].join(' ');
  const options = Object.keys(OPTIONS)
    .map((name) => name.split(' ')[0])
    .join(' ');
  switch (shell) {
    case 'bash':
      return [
        '_hindsight() {',
        '  local word="$2"',
        `  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${names}" -- "$word"));`,
        `  else COMPREPLY=($(compgen -W "${options}" -- "$word") $(compgen -f -- "$word")); fi`,
        '}',
        'complete -F _hindsight hindsight',
      ].join('\n');
    case 'zsh':
      return [
        '#compdef hindsight',
        `_hindsight() { if (( CURRENT == 2 )); then compadd ${names}; else compadd -- ${options}; _files; fi }`,
        'compdef _hindsight hindsight',
      ].join('\n');
    case 'fish':
      return [
        `complete -c hindsight -n __fish_use_subcommand -f -a "${names}"`,
        ...Object.keys(OPTIONS).map((name) => `complete -c hindsight -l ${name.split(' ')[0]!.slice(2)}`),
      ].join('\n');
    default:
      return null;
  }
}
