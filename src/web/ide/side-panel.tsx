import { X } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { IconButton } from '../ui/button.tsx';
import type { EditorTab } from './editor-tab.ts';
import type { NameRequest } from './panels/references-panel.tsx';
import type { PanelName } from './toolbar.tsx';
import type { Workspace } from './use-workspace.ts';

const OutlinePanel = lazyComponent(() =>
  import('./panels/outline-panel.tsx').then((module) => module.OutlinePanel),
);
const HistoryPanel = lazyComponent(() =>
  import('./panels/history-panel.tsx').then((module) => module.HistoryPanel),
);
const ImpactPanel = lazyComponent(() =>
  import('./panels/impact-panel.tsx').then((module) => module.ImpactPanel),
);
const ReferencesPanel = lazyComponent(() =>
  import('./panels/references-panel.tsx').then((module) => module.ReferencesPanel),
);

interface SidePanelProps {
  workspace: Workspace;
  tab: EditorTab;
  panel: PanelName;
  request: NameRequest | null;
  onName: (name: string) => void;
  onClose: () => void;
}

/** Outline, history, impact or references beside the text; over it on narrow screens. */
export function SidePanel({ workspace, tab, panel, request, onName, onClose }: SidePanelProps) {
  const { t } = useTranslation('editor');
  return (
    <aside
      aria-label={t(`panel.${panel}`)}
      className="flex shrink-0 flex-col border-l border-border bg-background text-foreground max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-30 max-lg:w-full max-lg:shadow-overlay sm:max-lg:w-96 lg:w-80 2xl:w-96"
    >
      <div className="flex h-10 shrink-0 items-center pr-1 pl-3">
        <h2 className="flex-1">{t(`panel.${panel}`)}</h2>
        <IconButton label={t('panel.close')} icon={<X aria-hidden className="size-4" />} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Suspense>
          {panel === 'outline' && <OutlinePanel workspace={workspace} tab={tab} />}
          {panel === 'history' && <HistoryPanel key={tab.path} workspace={workspace} tab={tab} />}
          {panel === 'impact' && <ImpactPanel key={tab.path} workspace={workspace} tab={tab} />}
          {panel === 'references' && (
            <ReferencesPanel workspace={workspace} request={request} onName={onName} />
          )}
        </Suspense>
      </div>
    </aside>
  );
}
