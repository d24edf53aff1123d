import type { ProjectIntake } from '#contract/intake.ts';
import { useTranslation } from '../../i18n.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** The last event, and events of seven days by outcome; before the first event, what to do. */
export function IntakeActivity({ intake: { last_event_at: last, counts } }: { intake: ProjectIntake }) {
  const { t, i18n } = useTranslation('intake');
  const number = new Intl.NumberFormat(i18n.language);
  const accepted = counts.find(({ outcome }) => outcome === 'accepted')?.count ?? 0;
  const dropped = counts.filter(({ outcome }) => outcome !== 'accepted');
  return (
    <div className="flex flex-col gap-3">
      {last ? (
        <p>
          {t('activity.last')} <RelativeTime at={last} />
        </p>
      ) : (
        <p className="text-muted">{t('activity.none')}</p>
      )}
      {(last || dropped.length > 0) && (
        <table className="w-full">
          <caption className="pb-1 text-left text-sm text-muted">{t('activity.week')}</caption>
          <tbody>
            <CountRow label={t('outcome.accepted')} value={number.format(accepted)} />
            {dropped.map(({ outcome, count }) => (
              <CountRow key={outcome} label={t(`outcome.${outcome}`)} value={number.format(count)} isMuted />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function CountRow({ label, value, isMuted }: { label: string; value: string; isMuted?: boolean }) {
  return (
    <tr className={`h-8 border-t border-border ${isMuted ? 'text-muted' : ''}`}>
      <th scope="row" className="text-left font-normal">
        {label}
      </th>
      <td className="text-right tabular-nums">{value}</td>
    </tr>
  );
}
