/** Arrays to pictures. Every picture is a `Drawing`; `toSvg` and `toPng` write it. Knows no model. */

export { encodeApng, encodeGif } from './animation.ts';
export type { Axis } from './axes.ts';
export { type BarChart, barChart } from './bar-chart.ts';
export { type ContactSheet, contactSheet } from './contact-sheet.ts';
export type { Drawing, Shape } from './drawing.ts';
export { type Colouring, type Embedding, embedding } from './embedding.ts';
export { type Cell, type Grid, type GridLooks, grid } from './grid.ts';
export type { RowLabel } from './heads.ts';
export { type HeatMap, heatMap } from './heat-map.ts';
export {
  enlarge,
  type Images,
  nonFiniteColour,
  type Raster,
  rasterOf,
  rastersOf,
  resize,
  smoothResize,
} from './image.ts';
export { type CornersInterpolation, cornersInterpolation, type Interpolation, interpolation } from './interpolation.ts';
export { type LineChart, lineChart, type Series } from './line-chart.ts';
export { readable } from './numbers.ts';
export type { Looks } from './page.ts';
export { categories, faint, ink, muted, white } from './palette.ts';
export { encodePng, toPng } from './png.ts';
export { type Prior, prior } from './prior.ts';
export { rasterise } from './rasterise.ts';
export { type Reconstruction, reconstruction } from './reconstruction.ts';
export { type Samples, samples } from './samples.ts';
export { type ScatterChart, type ScatterPoint, scatterChart } from './scatter-chart.ts';
export { escaped, toSvg } from './svg.ts';
export { type Swap, swap } from './swap.ts';
export { type Transfer, transfer } from './transfer.ts';
export { type Traversal, type TraversedDimension, traversal, traversalFrames } from './traversal.ts';
