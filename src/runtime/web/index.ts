/** ONNX Runtime as WebAssembly: in a browser, and in Node where there is no native library. */
export { webBackend } from './backend.ts';
