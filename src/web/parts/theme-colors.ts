import { useEffect, useState } from 'react';

/** Tokens that a diagram uses, by the name of the variable of the library. */
const VARIABLES = {
  background: '--surface',
  primaryColor: '--select',
  primaryTextColor: '--foreground',
  primaryBorderColor: '--muted',
  lineColor: '--muted',
  textColor: '--foreground',
  secondaryColor: '--surface',
  tertiaryColor: '--background',
  edgeLabelBackground: '--surface',
  noteBkgColor: '--select',
  noteTextColor: '--foreground',
} as const;

interface ThemeColors {
  colorScheme: 'light' | 'dark';
  variables: Record<string, string | boolean>;
}

/** Colors of the theme as sRGB, which libraries without OKLCH read; changes with the theme. */
export function useThemeColors(): ThemeColors {
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    const update = () => setColors(readColors());
    const media = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    media.addEventListener('change', update);
    return () => {
      observer.disconnect();
      media.removeEventListener('change', update);
    };
  }, []);
  return colors;
}

function readColors(): ThemeColors {
  const probe = document.createElement('span');
  document.body.append(probe);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const toHex = (token: string) => {
    probe.style.color = `var(${token})`;
    if (!context) return '#888888';
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  };
  const ground = toHex('--background');
  const colors = Object.entries(VARIABLES).map(([name, token]) => [name, toHex(token)] as const);
  probe.remove();
  const [red = 0, green = 0, blue = 0] = (ground.match(/\w\w/g) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  const isDark = red + green + blue < 3 * 128;
  return {
    colorScheme: isDark ? 'dark' : 'light',
    variables: {
      ...Object.fromEntries(colors),
      darkMode: isDark,
      useGradient: false,
      dropShadow: 'none',
      fontFamily: 'system-ui, sans-serif',
      fontSize: '13px',
    },
  };
}
