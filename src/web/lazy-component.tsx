import { Component, type ComponentType, type ReactNode, use } from 'react';
import { useTranslation } from './i18n.ts';
import { loadScript, ScriptLoadError } from './lazy-page.ts';
import { Notice } from './ui/notice.tsx';

interface LazyOptions<P> {
  /** Starts loading with the module that names the component, at the same time as its data. */
  early?: boolean;
  /** Stands in for the component while its script cannot be loaded; by default a notice with Retry. */
  Failed?: ComponentType<P>;
}

/**
 * Component with a script of its own, loaded when it is first rendered: `lazyComponent(() => import('./a.tsx').then((m) => m.A))`.
 * Suspends while the script loads, with retries; a failure is shown in place and offers another try.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { early = false, Failed }: LazyOptions<P> = {},
): ComponentType<P> {
  let script: Promise<ComponentType<P>> | null = null;
  const request = () => {
    script ??= loadScript(load);
    return script;
  };
  // A failure is reported where the component is rendered.
  if (early) request().catch(() => undefined);
  const reload = () => {
    script = null;
    return request().then(
      () => undefined,
      () => undefined,
    );
  };

  function Loaded(props: P) {
    const Content = use(request());
    return <Content {...props} />;
  }

  return function LazyComponent(props: P) {
    return (
      <ScriptBoundary reload={reload} failed={Failed && <Failed {...props} />}>
        <Loaded {...props} />
      </ScriptBoundary>
    );
  };
}

interface ScriptBoundaryProps {
  reload: () => Promise<void>;
  failed: ReactNode;
  children: ReactNode;
}

/** Catches a script that could not be loaded; any other error goes on to the page's boundary. */
class ScriptBoundary extends Component<ScriptBoundaryProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!((error as unknown) instanceof ScriptLoadError)) throw error;
    if (this.props.failed) return this.props.failed;
    return <ScriptNotice onRetry={() => this.props.reload().then(() => this.setState({ error: null }))} />;
  }
}

function ScriptNotice({ onRetry }: { onRetry: () => Promise<void> }) {
  const { t } = useTranslation('ui');
  return (
    <Notice kind="error" onRetry={onRetry}>
      {t('script_failed')}
    </Notice>
  );
}
