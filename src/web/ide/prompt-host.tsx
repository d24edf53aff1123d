import { isWithin } from './editor-tab.ts';
import { useFileOperations } from './files/use-file-operations.ts';
import { type EditorPrompt, PromptDialog } from './prompts.tsx';
import type { Workspace } from './use-workspace.ts';

interface PromptHostProps {
  prompt: EditorPrompt;
  workspace: Workspace;
  onDone: () => void;
  /** Shows a folder in the tree. */
  onFolder: (path: string) => void;
  onStay: () => void;
  onLeave: () => void;
}

/** Shows a prompt and carries out the answer. */
export function PromptHost({ prompt, workspace, onDone, onFolder, onStay, onLeave }: PromptHostProps) {
  const files = useFileOperations(workspace);
  const unsaved = workspace.tabs.filter(
    ({ path, dirty }) => dirty && prompt.kind === 'delete' && isWithin(path, prompt.path),
  );
  return (
    <PromptDialog
      prompt={prompt}
      unsaved={unsaved.length}
      onCancel={prompt.kind === 'leave' ? onStay : onDone}
      onPath={(path) => {
        onDone();
        if (prompt.kind === 'new') void workspace.create(path);
        if (prompt.kind === 'rename') void files.move(prompt.path, path);
        if (prompt.kind !== 'new_folder') return;
        workspace.addFolder(path);
        onFolder(path);
      }}
      onConfirm={() => {
        onDone();
        if (prompt.kind === 'leave') onLeave();
        if (prompt.kind === 'delete') void files.remove(prompt.path, prompt);
        if (prompt.kind === 'close') workspace.close(prompt.path);
      }}
    />
  );
}
