import { useEffect, useRef, useState } from 'react';
import type { Check } from '#contract/analysis.ts';
import { ApiError, api } from '../../api.ts';
import { hasText } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';

/** Pause of the typing before the text is checked, and before the rest of its types and their quick fixes are. */
const TYPING_PAUSE_MS = 350;
const FIXES_PAUSE_MS = 600;
const FIRST_CHECK_MS = 100;
/** Pause after which a check is tried again that a busy server refused or did not end in time, and the number of tries. */
const BUSY_PAUSE_MS = 5_000;
const MAX_TRIES = 4;
const BUSY_REASONS = ['busy', 'timed_out'];
/** Other files whose unsaved text the check takes into account. */
const MAX_UNSAVED = 20;

/** Findings of one file, and the state of its check. */
interface FileCheck {
  check: Check | null;
  error: Error | null;
  isRunning: boolean;
}

interface CheckOptions {
  withFixes?: boolean;
  /** The rest of the file is checked once the typing pauses. */
  onlyChanges?: boolean;
  /** This one included. */
  tries?: number;
}

const UNCHECKED: FileCheck = { check: null, error: null, isRunning: false };

/** Checks the file with the focus when it is opened and while it is typed. A check that the next letter supersedes is canceled. */
export function useLiveCheck(workspace: Workspace) {
  const [checks, setChecks] = useState<ReadonlyMap<string, FileCheck>>(new Map());
  const latest = useRef(workspace);
  latest.current = workspace;
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController } | null>(null);

  const update = (path: string, change: Partial<FileCheck>) =>
    setChecks((now) => new Map(now).set(path, { ...(now.get(path) ?? UNCHECKED), ...change }));

  const run = async (path: string, options: CheckOptions, signal: AbortSignal) => {
    const { withFixes = false, onlyChanges = false, tries = 1 } = options;
    const texts = textsToCheck(latest.current, path);
    if (!texts) return;
    const { params } = texts;
    const body = { ...texts.body, with_fixes: withFixes, only_changes: onlyChanges };
    update(path, { isRunning: true });
    try {
      const check = await api('POST /ide/projects/:id/checks', { params, body }, { signal });
      if (signal.aborted) return;
      update(path, { check, error: null, isRunning: false });
      const hasTypeFindings = check.errors.some(({ source }) => source.startsWith('typescript '));
      if (check.types?.is_partial || (!withFixes && hasTypeFindings)) {
        schedule(path, FIXES_PAUSE_MS, { withFixes: true });
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof Error)) return;
      update(path, { error, isRunning: false });
      const isBusy = error instanceof ApiError && BUSY_REASONS.includes(error.reason ?? '');
      if (isBusy && tries < MAX_TRIES) schedule(path, BUSY_PAUSE_MS, { ...options, tries: tries + 1 });
    }
  };

  const cancel = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
    pending.current = null;
  };

  const schedule = (path: string, delayMs: number, options: CheckOptions = {}) => {
    cancel();
    const controller = new AbortController();
    const timer = setTimeout(() => void run(path, options, controller.signal), delayMs);
    pending.current = { timer, controller };
  };

  const { tab, fileRef } = workspace;
  const path = tab && hasText(tab) ? tab.path : null;
  const version = tab?.version;
  const start = useRef(schedule);
  start.current = schedule;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` and `fileRef` say that other texts took this path.
  useEffect(() => {
    if (path !== null) start.current(path, FIRST_CHECK_MS);
    return cancel;
  }, [path, version, fileRef]);

  return {
    /** State of the file with the focus. */
    current: (path === null ? undefined : checks.get(path)) ?? UNCHECKED,
    /** The text of a file has changed. */
    changed: (name: string) => start.current(name, TYPING_PAUSE_MS, { onlyChanges: true }),
    /** Checks again at once. */
    retry: () => path !== null && schedule(path, 0),
    /** Takes findings that another request brought. */
    accept(name: string, check: Check) {
      cancel();
      update(name, { check, error: null, isRunning: false });
    },
  };
}

/** The texts as they are now; null for a file that was closed. */
export function textsToCheck(workspace: Workspace, path: string) {
  const tab = workspace.tabOf(path);
  if (!tab) return null;
  const unsaved = workspace.tabs
    .filter((one) => one.dirty && one.path !== path && hasText(one))
    .slice(0, MAX_UNSAVED)
    .map((one) => ({ path: one.path, code: workspace.textOf(one) }));
  const { fileRef } = workspace;
  return {
    params: { id: workspace.project.id },
    body: {
      code: workspace.textOf(tab),
      file_path: path,
      unsaved,
      ...(fileRef !== null && { ref: fileRef }),
    },
  };
}
