/** A thread that measures one metric and tells how far it is. */
import { scoreAll } from '../metrics/index.ts';
import { carryOutOrders } from '../orders.ts';
import type { Scoring } from './score.ts';

carryOutOrders<Scoring>(({ inputs, request, seed }, tell) =>
  scoreAll(inputs, request, { seed, onProgress: (share, what) => tell({ share, what }) }),
);
