/** The studio’s server; its pages are built from `studio/` at the root. */
export { openStudio, type Studio, type StudioOptions } from './server.ts';
