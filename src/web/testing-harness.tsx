import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Project } from '#contract/projects.ts';
import { JobList } from './admin/job-list.tsx';
import { useListQuery } from './admin/searchable-list.tsx';
import { apiQuery } from './api-query.ts';
import type { ChatEntry } from './chat/conversation.ts';
import { useMentions } from './chat/mentions.tsx';
import { useAnswerScroll } from './chat/use-answer-scroll.ts';
import { useChat } from './chat/use-chat.ts';
import { useChatOptions } from './chat/use-chat-options.ts';
import type { Session } from './debug/answer.tsx';
import { useDebugRequest } from './debug/use-debug-request.ts';
import { useFollowUp } from './debug/use-follow-up.ts';
import { createAppI18n, I18nContext } from './i18n.ts';
import { useAnalysis } from './ide/analysis/use-analysis.ts';
import { CommitDialog } from './ide/commit-dialog.tsx';
import { EditorPane } from './ide/editor-pane.tsx';
import { useEditorSettings } from './ide/editor-settings.ts';
import { useFileOperations } from './ide/files/use-file-operations.ts';
import { useFailures } from './ide/use-failures.ts';
import { useSaving } from './ide/use-saving.ts';
import { useWorkspace } from './ide/use-workspace.ts';
import { CopyButton } from './parts/copy-button.tsx';
import { LazyMenu } from './parts/lazy-menu.tsx';
import { useNow } from './parts/use-now.ts';
import { useProfileForm } from './parts/use-profile-form.ts';
import { useCheckout } from './payments/use-checkout.ts';
import { createQueryClient } from './query-client.ts';
import { NotificationBell } from './shell/notification-bell.tsx';
import { useSidebar } from './shell/sidebar-state.ts';
import { Notice } from './ui/notice.tsx';
import { QueryState } from './ui/query-state.tsx';
import { RelativeTime } from './ui/relative-time.tsx';
import { ToastProvider, useToast } from './ui/toast.tsx';

/** Arguments of a subject: whatever a test passes as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: results and arguments are checked by the tests.
type Json = any;

function useEditor(project: Project) {
  const workspace = useWorkspace(project);
  return {
    workspace,
    saving: useSaving(workspace),
    analysis: useAnalysis(workspace),
    files: useFileOperations(workspace),
  };
}

function useCommitDialog(project: Project) {
  const editor = useEditor(project);
  const { workspace, saving } = editor;
  return { ...editor, list: <CommitDialog {...{ workspace, saving }} onClose={ignore} /> };
}

function useMentionsOf(initial: string) {
  const [text, setText] = useState(initial);
  return { ...useMentions('p', text, setText, 'list'), text };
}

function useChatOf(thread?: string) {
  return useChat('p', thread, ignore);
}

function ignore(): void {}

/** Hooks by name; each takes the arguments of `mount`. */
const HOOKS: Record<string, (...args: Json[]) => Json> = {
  useChatOf,
  useChatOptions,
  useCheckout,
  useCommitDialog,
  useDebugRequest,
  useEditor,
  useEditorSettings,
  useFailures,
  useFollowUp: (session: Session) => useFollowUp(session),
  useListQuery,
  useLocation,
  useMentionsOf,
  useNow,
  useProfileForm,
  useSidebar,
  useToast,
};

/** Components by name. */
const COMPONENTS: Record<string, (props: Json) => ReactNode> = {
  CopyButton,
  EditedFile,
  JobList,
  LazyMenu,
  NotificationBell,
  Projects,
  RelativeTime,
  RetryNotice,
  ScrollList,
};

/** The editor of one file. */
function EditedFile({ project, path }: { project: Project; path: string }) {
  const workspace = useWorkspace(project);
  const saving = useSaving(workspace);
  const open = useEffectEvent(() => workspace.open(path));
  useEffect(() => void open(), []);
  const { tab } = workspace;
  return (
    tab && (
      <EditorPane
        {...{ tab, workspace, saving, panel: null }}
        onPanel={ignore}
        onPrompt={ignore}
        onCommit={ignore}
        onFolder={ignore}
        onSymbols={ignore}
        onDefinition={ignore}
      />
    )
  );
}

/** Projects by name in every state of `QueryState`. */
function Projects({ showStaleError = false }: { showStaleError?: boolean }) {
  const query = useQuery(apiQuery('GET /projects'));
  return (
    <>
      <QueryState
        query={query}
        showStaleError={showStaleError}
        loading={['40%']}
        empty={<p>No projects</p>}
        errorText={({ message }) => `Failed: ${message}`}
      >
        {(projects) => (
          <ul>
            {projects.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        )}
      </QueryState>
      <button type="button" onClick={() => void query.refetch()}>
        Refetch
      </button>
    </>
  );
}

function RetryNotice() {
  const load = useMutation({ mutationFn: () => new Promise((resolve) => setTimeout(resolve, 200)) });
  return (
    <Notice kind="error" onRetry={() => load.mutateAsync()}>
      It failed
    </Notice>
  );
}

function ScrollList({ entries }: { entries: ChatEntry[] }) {
  const list = useRef<HTMLDivElement>(null);
  const goToEnd = useAnswerScroll(list, entries);
  return (
    <>
      <button type="button" onClick={goToEnd}>
        To end
      </button>
      <div ref={list} id="list" style={{ height: 200, overflowY: 'auto' }}>
        <div>
          {entries.map(({ id, content }) => (
            <p key={id} id={id} style={{ height: 50 }}>
              {content}
            </p>
          ))}
        </div>
      </div>
    </>
  );
}

let args: Json[] = [];
let rerender = () => {};
const harness = {
  /** Return value of the mounted hook in its last render. */
  result: undefined as Json,
  mount,
  /** Renders the mounted subject with other arguments. */
  update(...next: Json[]) {
    args = next;
    rerender();
  },
};

/** Mounts a hook or a component by name below all providers of the application. */
async function mount(name: string, ...initial: Json[]): Promise<void> {
  args = initial;
  const i18n = await createAppI18n();
  await i18n.load('all');
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const useSubject = HOOKS[name] ?? useNow;
  const Subject = COMPONENTS[name];
  function Probe() {
    const [, force] = useReducer((count: number) => count + 1, 0);
    rerender = () => flushSync(force);
    return <ToastProvider>{Subject ? <Subject {...args[0]} /> : <HookProbe />}</ToastProvider>;
  }
  function HookProbe() {
    harness.result = useSubject(...args);
    return <>{harness.result?.list}</>;
  }
  const router = createMemoryRouter([
    { path: '/', element: <Probe /> },
    { path: '*', element: <p>Elsewhere</p> },
  ]);
  createRoot(document.getElementById('root')!).render(
    <I18nContext value={i18n}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nContext>,
  );
}

Object.assign(window, { harness });
