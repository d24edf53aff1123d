import { type MouseEvent, Suspense, useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import type { MenuItem } from '../ui/menu.tsx';

const ContextMenu = lazyComponent(() => import('../ui/menu.tsx').then((module) => module.ContextMenu));

interface OpenMenu {
  at: { x: number; y: number };
  items: MenuItem[];
  /** Has the focus again afterwards. */
  owner: HTMLElement | null;
}

/** A menu of actions that a secondary click, a long press or the menu key opens: its element, and the function to open it. */
export function useContextMenu() {
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const close = () => {
    setMenu(null);
    menu?.owner?.focus();
  };
  return {
    open(event: MouseEvent, items: MenuItem[]) {
      event.preventDefault();
      event.stopPropagation();
      const owner = event.currentTarget as HTMLElement;
      const { left, bottom } = owner.getBoundingClientRect();
      // The menu key and a click by the keyboard have no place of their own.
      const at = event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: left + 16, y: bottom };
      setMenu({ at, items, owner });
    },
    element: menu && (
      <Suspense>
        <ContextMenu
          at={menu.at}
          items={menu.items}
          container={document.getElementById('editor-frame')}
          onClose={close}
        />
      </Suspense>
    ),
  };
}
