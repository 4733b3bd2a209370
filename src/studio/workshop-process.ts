/** The workshop's process: opens data, encodes items and makes runs, so that the server never waits for any of it. */
import { carryOutOrders } from '../orders.ts';
import { loadNamedPlugins } from '../plugins/index.ts';
import { foundPresets } from '../studies/index.ts';
import { prepareRun } from '../training/index.ts';
import { codesOfPart } from './codes.ts';
import { itemsOfPart, labelsOf } from './items.ts';
import type { WorkshopWork } from './workshop.ts';

/** Who orders: a parent over the channel between processes. Without one there is nobody to work for. */
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too; the server ends it when it is done.
process.on('SIGINT', () => {});

carryOutOrders<WorkshopWork>(async (task) => {
  await loadNamedPlugins();
  switch (task.kind) {
    case 'items':
      return await itemsOfPart(task.request);
    case 'labels':
      return await labelsOf(task.request);
    case 'codes':
      return await codesOfPart(task.request);
    case 'prepare': {
      const { run, notes } = await prepareRun({ ...task.request, presets: foundPresets[task.request.method] });
      return { name: run.name, notes };
    }
  }
});
