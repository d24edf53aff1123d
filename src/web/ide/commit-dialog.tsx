import { MergeView } from '@codemirror/merge';
import type { Text } from '@codemirror/state';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ChangeFindings } from '../parts/change-findings.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { baseExtensions } from './editor-state.ts';
import type { EditorTab } from './editor-tab.ts';
import { useExcludedFiles } from './use-excluded-files.ts';
import type { Saving } from './use-saving.ts';
import type { Workspace } from './use-workspace.ts';
import { VerifyButton } from './verify-button.tsx';

interface CommitDialogProps {
  workspace: Workspace;
  saving: Saving;
  onClose: () => void;
}

/** Value of the branch menu that stands for a new branch; no branch can have this name. */
const NEW_BRANCH = ':new';
const WORKING_BRANCH = ':working';

/** Commits the files that were changed: message, branch, files, and the difference of each before it is saved. */
export function CommitDialog({ workspace, saving, onClose }: CommitDialogProps) {
  const { t } = useTranslation('ide');
  const changed = workspace.tabs.filter(({ dirty, readOnly }) => dirty && readOnly === null);
  const { isExcluded, toggle } = useExcludedFiles(workspace);
  const [message, setMessage] = useState('');
  const [choice, setChoice] = useState(workspace.chosenBranch ?? WORKING_BRANCH);
  const [newName, setNewName] = useState('');
  const paths = changed.map(({ path }) => path).filter((path) => !isExcluded(path));
  const branch = choice === NEW_BRANCH ? newName.trim() : choice === WORKING_BRANCH ? null : choice;
  const commit = useMutation({
    mutationFn: () => saving.commit(paths, { message, branch }),
    onSuccess: onClose,
  });
  const afterMoves = useAfterMoves(workspace, commit.mutate);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    afterMoves.start();
  };
  const isReady = paths.length > 0 && branch !== '';
  return (
    <Dialog open onClose={onClose} title={t('commit.title')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={t('commit.message')}>
          <Textarea
            rows={3}
            maxLength={10_000}
            value={message}
            placeholder={paths.length === 1 ? `Update ${paths[0]}` : `Update ${paths.length} files`}
            onChange={(event) => setMessage(event.target.value)}
          />
        </Field>
        <BranchChoice workspace={workspace} value={choice} onChange={setChoice} />
        {choice === NEW_BRANCH && (
          <Field label={t('commit.new_name')} hint={t('commit.new_hint')}>
            <Input
              className="font-mono"
              value={newName}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setNewName(event.target.value)}
            />
          </Field>
        )}
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-semibold">{t('commit.files')}</legend>
          {changed.length === 0 && <p className="text-muted">{t('commit.nothing')}</p>}
          {changed.map((tab) => (
            <ChangedFile
              key={tab.path}
              tab={tab}
              doc={workspace.documentOf(tab.path)!.doc}
              checked={!isExcluded(tab.path)}
              onToggle={() => toggle(tab.path)}
            />
          ))}
        </fieldset>
        {paths.length > 0 && (
          <ChangeFindings
            projectId={workspace.project.id}
            version={workspace.fileRef}
            texts={textsOf(workspace, paths)}
          />
        )}
        {commit.error && <Notice kind="error">{commit.error.message}</Notice>}
        <DialogActions>
          {workspace.sessionId && (
            <VerifyButton
              workspace={workspace}
              sessionId={workspace.sessionId}
              tabs={changed.filter(({ path }) => !isExcluded(path))}
            />
          )}
          <Button onClick={onClose}>{t('prompt.cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            loading={commit.isPending || afterMoves.isWaiting}
            disabled={!isReady}
          >
            {t('commit.confirm', { count: paths.length })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Does something once no file is being moved: files have their new paths, and the commit of the move, then. */
function useAfterMoves({ moves }: Pick<Workspace, 'moves'>, act: () => void) {
  const [isWanted, setIsWanted] = useState(false);
  const isMoving = moves.length > 0;
  const actNow = useEffectEvent(() => {
    setIsWanted(false);
    act();
  });
  useEffect(() => {
    if (isWanted && !isMoving) actNow();
  }, [isWanted, isMoving]);
  return { start: () => setIsWanted(true), isWaiting: isWanted };
}

/** Files of one check, as the contract has it. */
const MAX_CHECKED_FILES = 50;

function textsOf(workspace: Workspace, paths: readonly string[]) {
  return paths
    .slice(0, MAX_CHECKED_FILES)
    .map((path) => ({ path, content: workspace.documentOf(path)?.doc.toString() ?? null }));
}

interface BranchChoiceProps {
  workspace: Workspace;
  value: string;
  onChange: (value: string) => void;
}

function BranchChoice({ workspace, value, onChange }: BranchChoiceProps) {
  const { t } = useTranslation('ide');
  const { project, chosenBranch } = workspace;
  const query = useQuery(apiQuery('GET /projects/:id/branches', { params: { id: project.id }, query: {} }));
  const names = (query.data?.branches ?? []).map(({ name }) => name).filter((name) => !isWorkingBranch(name));
  const known = chosenBranch === null || names.includes(chosenBranch) ? names : [chosenBranch, ...names];
  return (
    <Field label={t('commit.branch')}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value={WORKING_BRANCH}>{t('commit.working_branch')}</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value={NEW_BRANCH}>{t('commit.new_branch')}</option>
      </Select>
    </Field>
  );
}

function isWorkingBranch(name: string): boolean {
  return name.startsWith('hindsight/');
}

interface ChangedFileProps {
  tab: EditorTab;
  doc: Text;
  checked: boolean;
  onToggle: () => void;
}

function ChangedFile({ tab, doc, checked, onToggle }: ChangedFileProps) {
  const { t } = useTranslation('ide');
  const [shown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <Checkbox
          className="min-w-0 flex-1 font-mono text-code"
          checked={checked}
          onChange={onToggle}
          label={<Verbatim text={tab.path} />}
        />
        <Button
          kind="ghost"
          size="small"
          className="ml-auto"
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'commit.hide_diff' : 'commit.show_diff')}
        </Button>
      </div>
      {shown && <FileDiffView tab={tab} doc={doc} />}
    </div>
  );
}

/** The saved text and the one in the editor, side by side. */
function FileDiffView({ tab, doc }: { tab: EditorTab; doc: Text }) {
  const { t } = useTranslation('ide');
  const place = useRef<HTMLDivElement>(null);
  const { saved, ends } = tab;
  const labels = { saved: t('commit.saved'), mine: t('commit.mine') };
  const unchanged = t('commit.unchanged');
  useEffect(() => {
    const side = (label: string) => [
      lineNumbers(),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorState.phrases.of({ '$ unchanged lines': unchanged }),
      baseExtensions(ends, label),
    ];
    const view = new MergeView({
      parent: place.current!,
      a: { doc: saved ?? '', extensions: side(labels.saved) },
      b: { doc, extensions: side(labels.mine) },
      collapseUnchanged: { margin: 2, minSize: 3 },
    });
    return () => view.destroy();
  }, [saved, doc, ends, labels.saved, labels.mine, unchanged]);
  return <div ref={place} className="max-h-72 overflow-auto rounded-md border border-border" />;
}
