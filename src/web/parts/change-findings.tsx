import { useQuery } from '@tanstack/react-query';
import { FilePlus2, FlaskConical, History, TriangleAlert, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChangeReview } from '#contract/change-check.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from './citation.ts';
import { Verbatim } from './verbatim.tsx';

interface ChangeFindingsProps {
  projectId: string;
  /** Branch that is checked, or that the texts are based on; the working branch when null. */
  version: string | null;
  /** Texts that are not saved yet; none for the commits of the branch. */
  texts?: readonly { path: string; content: string | null }[];
}

const MAX_ROWS = 3;

/** Findings of the history about a change before it is saved or pushed. Nothing is shown without findings, while they load, or when the check fails. */
export function ChangeFindings({ projectId, version, texts = [] }: ChangeFindingsProps) {
  const { t } = useTranslation('analysis');
  const { data } = useQuery({
    queryKey: ['change-check', projectId, version, texts],
    queryFn: () =>
      api('POST /projects/:id/change-check', {
        params: { id: projectId },
        body: { ref: version, files: [...texts] },
      }),
    retry: false,
  });
  if (!data || isEmpty(data)) return null;
  return (
    <section aria-labelledby="change-findings" className="text-sm">
      <h3 id="change-findings" className="mb-1 font-semibold">
        {t('change.heading')}
      </h3>
      <ul className="flex flex-col gap-1">
        {data.undone_fixes.slice(0, MAX_ROWS).map((fix) => (
          <Row key={fix.fix} icon={<TriangleAlert aria-hidden className="size-4 text-warning" />}>
            {t('change.undone')} <FixLink projectId={projectId} fix={fix} />
          </Row>
        ))}
        {data.fixed_lines.slice(0, MAX_ROWS).map((fix) => (
          <Row key={`${fix.fix} ${fix.path}`} icon={<History aria-hidden className="size-4" />}>
            {t('change.fixed')} <FixLink projectId={projectId} fix={fix} />
          </Row>
        ))}
        {data.companions.slice(0, MAX_ROWS).map(({ path, with: of, ...counts }) => (
          <Row key={path} icon={<FilePlus2 aria-hidden className="size-4" />}>
            <Path path={path} />{' '}
            {t('change.companion', { path: of, together: counts.together, of: counts.of })}
          </Row>
        ))}
        {data.tests.length > 0 && (
          <Row icon={<FlaskConical aria-hidden className="size-4" />}>
            {t('change.tests')}{' '}
            {data.tests.slice(0, MAX_ROWS).map(({ path }) => (
              <span key={path} className="mr-2">
                <Path path={path} />
              </span>
            ))}
          </Row>
        )}
        {data.reviewers.length > 0 && (
          <Row icon={<Users aria-hidden className="size-4" />}>
            {t('change.reviewers')} <Verbatim text={data.reviewers.map(({ name }) => name).join(', ')} />
          </Row>
        )}
      </ul>
    </section>
  );
}

function isEmpty({ undone_fixes, fixed_lines, companions, tests, reviewers }: ChangeReview): boolean {
  return [undone_fixes, fixed_lines, companions, tests, reviewers].every(({ length }) => length === 0);
}

function FixLink({ projectId, fix }: { projectId: string; fix: ChangeReview['undone_fixes'][number] }) {
  return (
    <>
      <Link to={commitUrl(projectId, fix.fix)} className="link wrap-anywhere">
        <Verbatim text={fix.subject} max={120} />
      </Link>{' '}
      <Path path={`${fix.path}:${fix.line}`} />
    </>
  );
}

function Path({ path }: { path: string }) {
  return (
    <span className="font-mono text-code wrap-anywhere">
      <Verbatim text={path} />
    </span>
  );
}

function Row({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <span className="mt-0.5 shrink-0 text-muted">{icon}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    </li>
  );
}
