import { type ComponentProps, Suspense, useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import { buttonClass } from '../ui/button.tsx';

const Menu = lazyComponent(() => import('../ui/menu.tsx').then((module) => module.Menu));

/** Menu whose script loads with its button; a press meanwhile opens it when it is there. */
export function LazyMenu(props: Omit<ComponentProps<typeof Menu>, 'defaultOpen'>) {
  const [isPressed, setIsPressed] = useState(false);
  const { label, trigger, kind = 'ghost', className = 'min-w-8 px-2' } = props;
  const placeholder = (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-busy={isPressed || undefined}
      className={buttonClass(kind, className)}
      onClick={() => setIsPressed(true)}
    >
      {trigger}
    </button>
  );
  return (
    <Suspense fallback={placeholder}>
      <Menu {...props} defaultOpen={isPressed} />
    </Suspense>
  );
}
