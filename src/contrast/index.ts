/** The report on two piles: is there a difference, in what, in which items; and contrastive PCA. */

export { contrastInMemory, type InMemoryContrast, type InMemoryOptions } from './in-memory.ts';
export { type LinearReport, linearPage, linearReport } from './linear.ts';
export { contrastPage } from './page.ts';
export { type Planted, plantedColumns, plantedPiles } from './planted.ts';
export { type ContrastReport, contrastReport } from './report.ts';
