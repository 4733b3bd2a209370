/**
 * Optimisers as formulas over one flat vector of parameters, which become part of the step's graph. Learning rate and step
 * count are fed, so that schedules need no new graph.
 */
import type { Optimiser } from '../../runtime/index.ts';
import { constant, type Tensor, tanh } from '../../tensor/index.ts';

export interface AdamOptions {
  beta1?: number;
  beta2?: number;
  epsilon?: number;
}

/**
 * Adam (Kingma and Ba 2015): p ← p − η · m̂ / (√v̂ + ε), with bias-corrected moments. The moments are kept without their
 * factors 1 − β, which go into the step size: two passes over memory fewer.
 */
export function adam(options: AdamOptions = {}): Optimiser {
  return { ...adamW({ ...options, decay: 0 }), name: 'adam' };
}

/** Adam with decoupled weight decay (Loshchilov and Hutter 2019): p also shrinks by η · decay · p. */
export function adamW(options: AdamOptions & { decay?: number } = {}): Optimiser {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01 } = options;
  return {
    name: 'adamW',
    slots: ['first moment', 'second moment'],
    update({ parameter, gradient, slots, rate, count }) {
      const first = slots['first moment'].times(beta1).plus(gradient);
      const second = slots['second moment'].times(beta2).plus(gradient.square());
      const correction1 = oneMinusPower(beta1, count).times(1 / (1 - beta1));
      const correction2 = oneMinusPower(beta2, count)
        .times(1 / (1 - beta2))
        .sqrt();
      const stepSize = rate.times(correction2).over(correction1);
      const direction = first.over(second.sqrt().plus(correction2.times(epsilon)));
      const kept = decay === 0 ? parameter : parameter.times(constant([1], []).minus(rate.times(decay)));
      return {
        parameter: kept.minus(direction.times(stepSize)),
        slots: { 'first moment': first, 'second moment': second },
      };
    },
  };
}

/** 1 − βᵗ without the loss of digits that the difference would have in float32: −expm1(a) = −2h / (1 − h), h = tanh(a/2). */
function oneMinusPower(beta: number, count: Tensor): Tensor {
  const h = tanh(count.times(Math.log(beta) / 2));
  return h.times(-2).over(constant([1], []).minus(h));
}

/** Stochastic gradient descent with momentum: v ← μ v + g, p ← p − η v. */
export function sgd(options: { momentum?: number } = {}): Optimiser {
  const { momentum = 0 } = options;
  if (momentum === 0) {
    return {
      name: 'sgd',
      slots: [],
      update: ({ parameter, gradient, rate }) => ({ parameter: parameter.minus(gradient.times(rate)), slots: {} }),
    };
  }
  return {
    name: 'sgd',
    slots: ['velocity'],
    update({ parameter, gradient, slots, rate }) {
      const velocity = slots.velocity.times(momentum).plus(gradient);
      return { parameter: parameter.minus(velocity.times(rate)), slots: { velocity } };
    },
  };
}

/** RMSprop (Tieleman and Hinton 2012), as PyTorch has it: p ← p − η g / (√s + ε), s the running mean of g². */
export function rmsprop(options: { alpha?: number; epsilon?: number } = {}): Optimiser {
  const { alpha = 0.99, epsilon = 1e-8 } = options;
  return {
    name: 'rmsprop',
    slots: ['mean square'],
    update({ parameter, gradient, slots, rate }) {
      const square = slots['mean square'].times(alpha).plus(gradient.square().times(1 - alpha));
      return {
        parameter: parameter.minus(gradient.times(rate).over(square.sqrt().plus(epsilon))),
        slots: { 'mean square': square },
      };
    },
  };
}

/** Optimisers by name, as options name them. */
export const optimisers = { adam, adamW, sgd, rmsprop };
