/** The order in which a graph's tensors can be computed: every pass walks it, forwards or backwards. */
import type { Tensor } from '../tensor.ts';

/** All tensors that the outputs need, each after its inputs. What is at an `end` needs nothing itself. */
export function inOrder(outputs: readonly Tensor[], isEnd: (tensor: Tensor) => boolean = () => false): Tensor[] {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  for (const output of outputs) {
    if (seen.has(output)) continue;
    seen.add(output);
    const stack = [{ tensor: output, next: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next < top.tensor.inputs.length && !isEnd(top.tensor)) {
        const child = top.tensor.inputs[top.next++];
        if (!seen.has(child)) {
          seen.add(child);
          stack.push({ tensor: child, next: 0 });
        }
        continue;
      }
      order.push(top.tensor);
      stack.pop();
    }
  }
  return order;
}
