/** ONNX Runtime as WebAssembly: in a browser, and in Node where there is no native library. */
import { type Backend, backendOf, type OrtModule } from '../backend.ts';

/** The backend over a loaded onnxruntime-web module. @example webBackend(await import('onnxruntime-web')) */
export function webBackend(ort: OrtModule): Backend {
  return backendOf('web', ort);
}
