import { TOOLS } from '#assistant/tools/registry.ts';

/** Commands with their descriptions, in the order of the help. */
const COMMAND_DESCRIPTIONS: Record<string, string> = {
  'why < log':
    'failing tests of a log or an error: the place, the commit that likely caused it (of this branch first), earlier fixes',
  'debug < log': 'the same',
  'bisect -- COMMAND':
    'find the first bad commit by running a command in a temporary worktree, likely causes first',
  'ask QUESTION':
    'answer who, when, why, where defined, where used, what changed since, what changes together',
  'search WORDS': 'search code and commits',
  mcp: 'serve the tools below to an MCP client over standard input and output',
  lsp: 'serve editors over standard input and output: history on hover, last fixes, explanations of diagnostics',
  'setup [CLIENT…]':
    'add the MCP server to the settings of editors and agents: shows what it writes and asks (--yes, --undo)',
  'test-runs upload FILE…':
    'upload the JUnit reports of a test run (--commit, --branch and --suite; those of the CI run by default)',
  'connect URL': 'connect a repository to a server and wait until it is indexed (--name NAME)',
  'sourcemaps upload DIR':
    'upload the source maps of a build, so that errors show the source (--release NAME, --url-prefix PATH)',
  'push BRANCH':
    'push a branch that was saved on a server to its repository (--target NAME, --commits A,B, --dry-run)',
  'pr BRANCH': 'open a pull or merge request for a pushed branch (--target NAME, --title TEXT, --draft)',
  serve: 'start the server',
  worker: 'run background jobs for a server (needs DATABASE_URL)',
  migrate: 'migrate the database to the current version',
  'backup FILE':
    'write database, repositories with all branches and uploads to one file; the server may run (--with-keys adds the secret key; store:NAME writes to the object store)',
  'restore FILE': 'restore a backup into an empty DATA_DIR, and an empty DATABASE_URL if set, and verify it',
  doctor:
    'examine versions, disk, database, clocks, permissions, keys, mail, models, object store and sandbox (--json); exit code 1 for failures',
  'upgrade-database':
    'move the embedded database to the PostgreSQL of this version, by the programs of the old one (--from FOLDER)',
  'storage move in':
    'move repositories, indexes, embeddings and source maps from DATA_DIR to the object store of OBJECT_STORE_URL; out moves them back',
  'completion SHELL': 'print the completion script for bash, zsh or fish',
  help: 'print this help',
};

/** Options of the query commands. */
const OPTIONS = {
  '--repo DIR': 'local repository, by default the current folder; needs no server or database',
  '--server URL': 'query a server instead (or HINDSIGHT_SERVER), with the key in HINDSIGHT_API_KEY',
  '--project NAME': 'project on the server, by ID or name',
  '--json': 'print JSON',
  '--limit N': 'maximum number of results, or of failures to examine',
};

/** Options of `why`. */
const WHY_OPTION_DESCRIPTIONS = {
  '--junit FILE…': 'read JUnit XML files instead of a log, or all below a folder',
  '--base REF': 'branch, tag or commit that this branch is compared with; that of the pull request in CI',
  '--format FORMAT': 'text, json, sarif, github (workflow commands) or markdown',
  '--comment': 'also write the result as a comment of the pull or merge request of the CI run',
};

/** Options of `bisect`. */
const BISECT_OPTION_DESCRIPTIONS = {
  '--good REV': 'revision at which the command passes; without it, the search looks back in growing steps',
  '--bad REV': 'revision at which it fails, HEAD by default',
  '--error FILE': 'text of the error: other failures do not count, and it names the suspects',
  '--setup COMMAND':
    'run this in every checkout first; if it fails, the revision is skipped with exit code 125',
  '--with PATH…':
    'add this file or folder of your checkout to every revision, such as a new test or node_modules',
  '--timeout SECONDS': 'time after which a revision is skipped, 600 by default',
  '--fresh': 'run again what was run before',
};

/** Formats the help text. */
export function formatHelp(): string {
  const tools = Object.fromEntries(TOOLS.map(({ name, summary }) => [name.replaceAll('_', '-'), summary]));
  return [
    'hindsight COMMAND [OPTIONS]   find the cause of an error and the history of code in a git repository',
    '',
    ...formatTable(COMMAND_DESCRIPTIONS),
    '',
    'Tools for a local repository (options: hindsight TOOL --help):',
    ...formatTable(tools),
    '',
    'Options:',
    ...formatTable(OPTIONS),
    '',
    'Options of why:',
    ...formatTable(WHY_OPTION_DESCRIPTIONS),
    '',
    'Options of bisect (a command passes with exit code 0, cannot be tested with 125, and fails with others):',
    ...formatTable(BISECT_OPTION_DESCRIPTIONS),
    '',
    'Exit codes: 0 answered (or nothing failed), 1 no result, too little evidence to name a cause, or no first bad commit, 2 invalid usage, 3 failed.',
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
  const options = Object.keys({ ...OPTIONS, ...WHY_OPTION_DESCRIPTIONS, ...BISECT_OPTION_DESCRIPTIONS })
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
        ...options.split(' ').map((name) => `complete -c hindsight -l ${name.slice(2)}`),
      ].join('\n');
    default:
      return null;
  }
}
