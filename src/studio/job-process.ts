/** The process of one job: measures or draws a run, or draws a dataset, so that a native library can end it without the studio. */
import { availableParallelism } from 'node:os';
import { chooseData } from '../data/index.ts';
import { toPng } from '../drawing/index.ts';
import { carryOutOrders } from '../orders.ts';
import { datasetSheet, drawRun } from '../pictures/index.ts';
import { loadNamedPlugins } from '../plugins/index.ts';
import { evaluate } from '../use/index.ts';
import type { JobWork } from './jobs.ts';

/** Without a parent there is nobody to work for. */
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too; the server ends it.
process.on('SIGINT', () => {});

carryOutOrders<JobWork>(async (job) => {
  await loadNamedPlugins();
  switch (job.kind) {
    case 'evaluate': {
      const { unkept } = await evaluate(job.folder, { jobs: availableParallelism() });
      if (unkept) throw unkept;
      return undefined;
    }
    case 'picture':
      await drawRun(job.folder, [job.picture], { seed: 1 });
      return undefined;
    case 'preview':
      return toPng(datasetSheet((await chooseData(job.dataset)).opened, 24, 1));
  }
});
