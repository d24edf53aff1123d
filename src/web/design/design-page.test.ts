import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Components that show nothing of their own, or only what a server answers. */
const NOT_SHOWN = [
  ...['PageTitle', 'ReadingPage', 'ToastProvider', 'ProjectLoader', 'ProjectBreadcrumbs', 'ProjectSelect'],
  ...['AllowHost', 'CommitChanges', 'CommitFilterBar', 'CommitHeader', 'CommitPages', 'ConnectForm'],
  ...['CredentialFields', 'CredentialToggle', 'EmailVerificationNotice', 'EvidenceSheet', 'FirstRun'],
  ...['FixActions', 'RevertButton', 'ModelTest', 'OwnModelSection', 'RevisionList', 'RevisionPicker'],
  ...['ChangeFindings', 'CommitIssues', 'IssueView', 'ContextMenu', 'EditorLink', 'PasteProjectError'],
  ...['UsernameField', 'EmailField', 'PasswordField', 'ErrorTextarea', 'SubmitKey', 'WorkingBranchNote'],
  ...['LocalEditorDialog', 'LocalEditorIcon', 'LocalEditorLink', 'NoProjects', 'WatchButton'],
  // Parts of others that are shown.
  ...[
    'CodeText',
    'CodeView',
    'Diagram',
    'LazyMenu',
    'MarkdownBody',
    'SentenceText',
    'SuggestionList',
    'Verbatim',
  ],
];

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const filesOf = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url)).filter((file) => file.endsWith('.tsx'));

test('the page shows every component of ui and parts', () => {
  const page = filesOf('./')
    .map((file) => read(`./${file}`))
    .join();
  const missing = ['../ui/', '../parts/'].flatMap((folder) =>
    filesOf(folder).flatMap((file) =>
      [...read(folder + file).matchAll(/^export function ([A-Z]\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !NOT_SHOWN.includes(name) && !page.includes(`<${name}`)),
    ),
  );
  expect(missing).toEqual([]);
});
