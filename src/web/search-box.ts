import { PaletteHost } from './palette/palette-host.tsx';

/** Search box of the frame. Features must not import each other, so the palette is connected here, as pages are in the router. */
export const SearchBox = PaletteHost;
