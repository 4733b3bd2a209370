/** The report on two piles: is there a difference, in what, in which items; contrastive PCA and latent variables. */

export { contrastInMemory, type InMemoryContrast, type InMemoryOptions } from './in-memory.ts';
export { type LatentReport, type LatentSettings, latentPage, latentReport } from './latent.ts';
export { type LinearReport, linearPage, linearReport } from './linear.ts';
export { type Novelty, novelty, noveltyCsv, noveltySentences } from './novelty.ts';
export { contrastPage } from './page.ts';
export { type Planted, plantedColumns, plantedPiles } from './planted.ts';
export { type ContrastReport, contrastReport } from './report.ts';
