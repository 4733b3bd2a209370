/** A thread that measures one metric and tells how far it is. */
import { scoreAll } from '../metrics/index.ts';
import { carryOutOrders } from '../orders.ts';
import { loadNamedPlugins } from '../plugins/index.ts';
import type { Scoring } from './score.ts';

carryOutOrders<Scoring>(async ({ inputs, request, seed }, tell) => {
  await loadNamedPlugins();
  return scoreAll(inputs, request, { seed, onProgress: (share, what) => tell({ share, what }) });
});
