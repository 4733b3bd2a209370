/** The report on two piles: is there a difference, in what, in which items; and contrastive PCA. */

export { linearReport } from './linear.ts';
export { linearPage } from './linear-page.ts';
export { contrastPage } from './page.ts';
export { contrastReport } from './report.ts';
