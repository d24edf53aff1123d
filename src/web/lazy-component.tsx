import { Component, type ComponentType, type ReactNode, use } from 'react';
import { useTranslation } from './i18n.ts';
import { loadScript, readableAtOnce, ScriptLoadError } from './lazy-page.ts';
import { Notice } from './ui/notice.tsx';

interface LazyOptions<P> {
  /** Starts loading with the module that names the component, at the same time as its data. */
  early?: boolean;
  /** Stands in for the component when its script cannot be loaded; by default a notice with Retry. */
  Failed?: ComponentType<P>;
}

/**
 * Component with a script of its own, loaded when it is first rendered: `lazyComponent(() => import('./a.tsx').then((m) => m.A))`.
 * Suspends while the script loads; a failure is shown in place and offers another try.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { early = false, Failed }: LazyOptions<P> = {},
): ComponentType<P> {
  let script: Promise<ComponentType<P>> | null = null;
  const request = () => {
    script ??= readableAtOnce(loadScript(load));
    return script;
  };
  // A failure is reported where the component is rendered.
  if (early) request().catch(() => undefined);

  function Loaded(props: P) {
    const Content = use(request());
    return <Content {...props} />;
  }

  return function LazyComponent(props: P) {
    return (
      <ScriptBoundary failed={Failed ? <Failed {...props} /> : <ScriptNotice />}>
        <Loaded {...props} />
      </ScriptBoundary>
    );
  };
}

interface ScriptBoundaryProps {
  failed: ReactNode;
  children: ReactNode;
}

/** Catches a script that could not be loaded; any other error goes on to the page's boundary. */
class ScriptBoundary extends Component<ScriptBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof ScriptLoadError) return this.props.failed;
    throw error;
  }
}

function ScriptNotice() {
  const { t } = useTranslation('ui');
  return (
    <Notice kind="error" onRetry={reloadWhenReachable}>
      {t('script_failed')}
    </Notice>
  );
}

/** Reloads the page once the server answers: Chromium repeats a failed import only in a page that is loaded again. */
async function reloadWhenReachable(): Promise<void> {
  const reply = await fetch('/healthz').catch(() => null);
  if (reply?.ok) location.reload();
}
