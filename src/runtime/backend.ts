/** One face over ONNX Runtime, native (`node.ts`) and in a browser (`web.ts`). */
import type { InferenceSession, Tensor as OrtTensor, TensorConstructor } from 'onnxruntime-node';
import { UntangleError } from '../errors.ts';
import type { DataType } from '../tensor/index.ts';

/** Numbers as a graph takes and gives them. */
export type Values = Float32Array | BigInt64Array | Uint8Array;

export type Provider = 'cpu' | 'cuda' | 'webgpu' | 'coreml' | 'dml' | 'wasm';

export interface OpenGraphOptions {
  provider?: Provider;
  /** Threads inside one op. */
  threads?: number;
  /** Whether waiting threads spin; off when runs share the machine. */
  spin?: boolean;
}

/** A value on its way in or out: numbers that stay where they are, with a shape. */
export type Bound = OrtTensor;

export interface OpenGraph {
  readonly inputNames: readonly string[];
  /** Runs the graph; outputs are written into the values bound to them, and made anew where none are. */
  run(feeds: Record<string, Bound>, fetches: Record<string, Bound | null>): Promise<Record<string, Bound>>;
  close(): Promise<void>;
}

export interface Backend {
  readonly name: 'node' | 'web';
  /** Binds numbers to a shape without copying them. */
  bind(values: Values, shape: readonly number[], type: DataType): Bound;
  open(model: Uint8Array, options?: OpenGraphOptions): Promise<OpenGraph>;
}

/** The part of onnxruntime-common that both runtimes provide. */
export interface OrtModule {
  InferenceSession: { create(model: Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSession> };
  Tensor: TensorConstructor;
}

/** Makes a backend of either runtime's module. */
export function backendOf(name: Backend['name'], ort: OrtModule): Backend {
  return {
    name,
    bind: (values, shape, type) => {
      if (values instanceof Float32Array) return new ort.Tensor('float32', values, shape);
      if (values instanceof BigInt64Array) return new ort.Tensor('int64', values, shape);
      if (type !== 'bool') throw new UntangleError(`Bytes can only be bound to a bool tensor, not to ${type}.`);
      return new ort.Tensor('bool', values, shape);
    },
    async open(model, options = {}) {
      const session = await ort.InferenceSession.create(model, sessionOptions(name, options));
      return {
        inputNames: session.inputNames,
        run:
          name === 'node'
            ? (feeds, fetches) => session.run(feeds, fetches)
            : (feeds, fetches) => runAndCopy(session, feeds, fetches),
        close: () => session.release(),
      };
    },
  };
}

/** The WebAssembly runtime keeps outputs in memory of its own, so they are copied to where the caller wants them. */
async function runAndCopy(
  session: InferenceSession,
  feeds: Record<string, Bound>,
  fetches: Record<string, Bound | null>,
) {
  const results = await session.run(feeds, Object.keys(fetches));
  for (const [name, target] of Object.entries(fetches)) {
    if (target !== null) copyValues(valuesOf(target), valuesOf(results[name]));
  }
  return results;
}

function valuesOf(bound: Bound): Values {
  const { data } = bound;
  if (data instanceof Float32Array || data instanceof BigInt64Array || data instanceof Uint8Array) return data;
  throw new UntangleError(`A tensor of ${bound.type} can't be read.`);
}

/** Copies values of one type. */
export function copyValues(target: Values, values: Values): void {
  if (target instanceof BigInt64Array && values instanceof BigInt64Array) target.set(values);
  else if (!(target instanceof BigInt64Array) && !(values instanceof BigInt64Array)) target.set(values);
}

function sessionOptions(name: Backend['name'], options: OpenGraphOptions): InferenceSession.SessionOptions {
  const provider = options.provider ?? (name === 'web' ? 'wasm' : 'cpu');
  const common: InferenceSession.SessionOptions = {
    executionProviders: [provider],
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  };
  if (name === 'web') return common;
  return {
    ...common,
    intraOpNumThreads: options.threads ?? 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    extra: { session: { intra_op: { allow_spinning: options.spin ? '1' : '0' }, set_denormal_as_zero: '1' } },
  };
}
