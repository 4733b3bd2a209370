/** Arrays to pictures. Every picture is a `Drawing`; `toSvg` and `toPng` write it. Knows no model. */

export { encodeApng, encodeGif } from './animation.ts';
export type { Axis } from './axes.ts';
export { type BarChart, barChart } from './bar-chart.ts';
export { type DensityStrip, densityStrip } from './density-strip.ts';
export { type Drawing, type DrawnShape, stackedDrawings } from './drawing.ts';
export { type Cell, type Grid, type GridLooks, grid } from './grid.ts';
export type { RowLabel } from './heads.ts';
export { type HeatMap, heatMap } from './heat-map.ts';
export { htmlBars, htmlFigure, htmlPage, htmlParagraph, htmlTable } from './html.ts';
export {
  type Images,
  nonFiniteColour,
  type Raster,
  rasterOf,
  rastersOf,
  resize,
  smoothResize,
} from './image.ts';
export {
  type ContactSheet,
  contactSheet,
  type ReconstructionTable,
  reconstructionTable,
  type SamplesTable,
  type SwapTable,
  samplesTable,
  swapTable,
  type TransferTable,
  transferTable,
} from './image-tables.ts';
export {
  type InterpolationLines,
  type InterpolationSquare,
  interpolationLines,
  interpolationSquare,
} from './interpolation-grid.ts';
export { type LineChart, lineChart, type Series } from './line-chart.ts';
export { betterArrow, percent, readable } from './numbers.ts';
export type { Looks } from './page.ts';
export { categories, faint, ink, muted, white } from './palette.ts';
export { encodePng, toPng } from './png.ts';
export { type Colouring, type PointMap, pointMap } from './point-map.ts';
export { rasterise } from './rasterise.ts';
export { type ScatterChart, type ScatterPoint, scatterChart } from './scatter-chart.ts';
export { base64, escaped, toSvg } from './svg.ts';
export { type TraversalTable, type TraversedDimension, traversalFrames, traversalTable } from './traversal-table.ts';
