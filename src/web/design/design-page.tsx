import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { ContentSpecimens } from './content-specimens.tsx';
import { ControlSpecimens } from './control-specimens.tsx';
import { StateSpecimens } from './state-specimens.tsx';
import { TokenSpecimens } from './token-specimens.tsx';

const THEMES = ['light', 'dark'] as const;

/** All components in all states, in both themes. */
export function Component() {
  return (
    <ListingPage>
      <PageHeader title="design" lead="src/web/ui · src/web/parts · src/web/tokens.css" />
      {THEMES.map((theme) => (
        <section
          key={theme}
          data-theme={theme}
          className="mb-8 rounded-lg border border-border bg-background px-5 text-foreground"
        >
          <h2 className="py-4 text-answer">{theme}</h2>
          <StateSpecimens />
          <ContentSpecimens />
          <ControlSpecimens />
          <TokenSpecimens />
        </section>
      ))}
    </ListingPage>
  );
}
