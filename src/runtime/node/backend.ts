/** ONNX Runtime's native library, loaded when it is first needed. */
import { UntangleError } from '../../errors.ts';
import { type Backend, backendOf } from '../backend.ts';

let loading: Promise<Backend> | undefined;

/** The native backend, or a sentence on what to do where there is no library for this platform. */
export function nodeBackend(): Promise<Backend> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Backend> {
  try {
    const ort = await import('onnxruntime-node');
    return backendOf('node', ort.default ?? ort);
  } catch (cause) {
    throw missingLibrary(cause);
  }
}

/** What a failed load of the native library means to the person who runs into it. */
export function missingLibrary(cause: unknown): UntangleError {
  const where = `${process.platform}-${process.arch}`;
  const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
  return new UntangleError(`ONNX Runtime's native library does not load on ${where}: ${reason}`, {
    hint:
      'It ships for linux-x64, linux-arm64, darwin-arm64, win32-x64 and win32-arm64, and needs glibc on Linux. ' +
      'Reinstall with “ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node”. ' +
      'Without it, a program of yours can use the WebAssembly backend of “untangle/runtime/web”, on onnxruntime-web.',
    cause,
  });
}
