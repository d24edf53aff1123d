import { Bug, CircleHelp, CornerDownLeft, FolderSymlink, History, Server, ShieldAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { VerdictKind } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Confidence, Probability } from '../parts/confidence.tsx';
import { IndexFreshnessLine } from '../parts/index-freshness-line.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useClaimLabel } from '../parts/use-claim-label.ts';
import { useHeadline } from '../parts/use-headline.ts';
import { statedProbabilities, verdictKind } from '../parts/verdict-claims.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import type { Session } from './answer.tsx';
import { TrustLine } from './trust-line.tsx';

const ProvenLine = lazyComponent(() => import('./proven-line.tsx').then((module) => module.ProvenLine), {
  early: true,
});

/** Top of an answer: breadcrumbs, the verdict in one sentence, its kind and its probabilities. */
export function Verdict({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const headline = useHeadline()(session);
  return (
    <header className="flex flex-col gap-2.5">
      <PageTitle>{`#${session.number} ${headline.replaceAll('`', '')}`}</PageTitle>
      <VerdictBreadcrumbs session={session} />
      <h1 className="max-w-[88ch] tracking-[-.003em] wrap-anywhere">
        <CodeSpans text={headline} />
      </h1>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-muted">
        <h2 className="text-foreground">{t('solution')}</h2>
        <KindLabel kind={session.answer.changed_since ? 'changed' : verdictKind(session.answer)} />
        {session.state !== 'open' && <StateMark state={session.state} />}
        {session.answer.proven && <ProvenLine session={session} />}
        <Claims answer={session.answer} />
        {!session.answer.proven && <TrustLine session={session} />}
      </div>
    </header>
  );
}

function VerdictBreadcrumbs({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { answer, project_id: projectId } = session;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <nav aria-label={t('crumbs')} className="flex min-w-0 flex-1 flex-wrap gap-2">
        <Link to="/debug" className="hover:text-action">
          {t('crumb')}
        </Link>
        <span aria-hidden>/</span>
        <Link to={`/projects/${projectId}`} className="hover:text-action">
          {session.project_name}
        </Link>
        <span aria-hidden>/</span>
        <span className="font-mono text-sm">#{session.number}</span>
      </nav>
      {answer.freshness ? (
        <IndexFreshnessLine freshness={answer.freshness} projectId={projectId} />
      ) : (
        <span className="inline-flex items-center gap-1.5 text-sm">
          {t('at')}
          <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: answer.indexed_commit }} />
        </span>
      )}
      {!answer.abstained && (
        <ButtonLink to="/debug" state={{ request: session.request }} size="small">
          {t('ask_again')}
        </ButtonLink>
      )}
    </div>
  );
}

const KIND_ICONS: Record<VerdictKind | 'changed', typeof Bug> = {
  regression: Bug,
  defect: Bug,
  changed: History,
  guard: ShieldAlert,
  usage: CornerDownLeft,
  environment: Server,
  foreign: FolderSymlink,
  vague: CircleHelp,
};

function KindLabel({ kind }: { kind: VerdictKind | 'changed' | null }) {
  const { t } = useTranslation('debug');
  if (!kind) return null;
  const Icon = KIND_ICONS[kind];
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-foreground">
      <Icon aria-hidden className="size-4" />
      {t(`kind.${kind}`)}
    </span>
  );
}

/** Probability of each statement; the level in words where there is only one. */
function Claims({ answer }: { answer: Session['answer'] }) {
  const label = useClaimLabel();
  const stated = statedProbabilities(answer);
  const [only] = stated;
  if (stated.length === 1 && only?.claim === 'confidence') return <Confidence value={only.value} />;
  return stated.map((one) => (
    <Probability key={one.claim} label={label(one)} value={one.value} cause={one.claim === 'cause'} />
  ));
}
