/**
 * Two watches over a training: one lowers the learning rate when an epoch's mean loss no longer falls (as PyTorch's
 * ReduceLROnPlateau does), one stops when the held-out loss no longer falls. What they remember is plain data for a checkpoint.
 */

export interface PlateauState {
  factor: number;
  best: number | null;
  bad: number;
  cooldown: number;
  /** Loss summed over the running epoch, and over how many steps. */
  sum: number;
  count: number;
}

export interface PlateauSettings {
  plateauFactor: number;
  plateauPatience: number;
  plateauThreshold: number;
  plateauCooldown: number;
}

export const plateauStart: PlateauState = { factor: 1, best: null, bad: 0, cooldown: 0, sum: 0, count: 0 };

/** Takes the loss of one step. */
export function addLoss(state: PlateauState, loss: number): PlateauState {
  return { ...state, sum: state.sum + loss, count: state.count + 1 };
}

/** Ends an epoch: the factor falls when the mean loss has not been better by the threshold for longer than the patience. */
export function endEpoch(state: PlateauState, settings: PlateauSettings): PlateauState {
  const mean = state.sum / state.count;
  const fresh = { ...state, sum: 0, count: 0 };
  const isBetter = state.best === null || mean < state.best - Math.abs(state.best) * settings.plateauThreshold;
  const best = isBetter ? mean : state.best;
  if (state.cooldown > 0) return { ...fresh, best, bad: 0, cooldown: state.cooldown - 1 };
  const bad = isBetter ? 0 : state.bad + 1;
  if (bad <= settings.plateauPatience) return { ...fresh, best, bad };
  return { ...fresh, best, bad: 0, cooldown: settings.plateauCooldown, factor: state.factor * settings.plateauFactor };
}

export interface PatienceState {
  best: number | null;
  /** The step of the best look. */
  at: number;
  /** Looks since the best one. */
  waited: number;
}

export const patienceStart: PatienceState = { best: null, at: 0, waited: 0 };

/** Takes a held-out loss. */
export function look(state: PatienceState, loss: number, step: number): PatienceState {
  return state.best === null || loss < state.best
    ? { best: loss, at: step, waited: 0 }
    : { ...state, waited: state.waited + 1 };
}
