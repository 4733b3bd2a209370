/** The messages of onnx.proto3 that we write: a model with one graph. Field numbers are those of ONNX's IR version 8. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { DataType, Shape } from './shape.ts';

export type AttributeValue = number | string | readonly number[] | { float: number };

export interface OnnxNode {
  type: string;
  name: string;
  inputs: string[];
  output: string;
  attributes: Record<string, AttributeValue>;
}

export interface OnnxValue {
  name: string;
  shape: Shape;
  type: DataType;
}

export interface OnnxTensor {
  name: string;
  dimensions: number[];
  data: Float32Array | BigInt64Array;
}

export interface OnnxGraph {
  name: string;
  nodes: OnnxNode[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  initialisers: OnnxTensor[];
  /** Free text pairs that readers of the file may use. */
  metadata?: Record<string, string>;
}

const irVersion = 8;
const opsetVersion = 17;
export const elementTypes: Record<DataType, number> = { float32: 1, int64: 7, bool: 9 };

/** The bytes of an ONNX file. */
export function encodeModel(graph: OnnxGraph): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int64(irVersion);
  writer.tag(2, WireType.LengthDelimited).string('untangle');
  message(writer, 7, () => writeGraphProto(writer, graph));
  message(writer, 8, () => {
    writer.tag(1, WireType.LengthDelimited).string('');
    writer.tag(2, WireType.Varint).int64(opsetVersion);
  });
  for (const [key, value] of Object.entries(graph.metadata ?? {})) {
    message(writer, 14, () => {
      writer.tag(1, WireType.LengthDelimited).string(key);
      writer.tag(2, WireType.LengthDelimited).string(value);
    });
  }
  return writer.finish();
}

function writeGraphProto(writer: BinaryWriter, graph: OnnxGraph): void {
  for (const node of graph.nodes) message(writer, 1, () => writeNode(writer, node));
  writer.tag(2, WireType.LengthDelimited).string(graph.name);
  for (const tensor of graph.initialisers) message(writer, 5, () => writeTensor(writer, tensor));
  for (const value of graph.inputs) message(writer, 11, () => writeValue(writer, value));
  for (const value of graph.outputs) message(writer, 12, () => writeValue(writer, value));
}

function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const input of node.inputs) writer.tag(1, WireType.LengthDelimited).string(input);
  writer.tag(2, WireType.LengthDelimited).string(node.output);
  writer.tag(3, WireType.LengthDelimited).string(node.name);
  writer.tag(4, WireType.LengthDelimited).string(node.type);
  for (const [name, value] of Object.entries(node.attributes)) {
    message(writer, 5, () => {
      writer.tag(1, WireType.LengthDelimited).string(name);
      writeAttribute(writer, value);
    });
  }
}

function writeAttribute(writer: BinaryWriter, value: AttributeValue): void {
  const kind = (type: number) => writer.tag(20, WireType.Varint).int32(type);
  if (typeof value === 'number') {
    writer.tag(3, WireType.Varint).int64(value);
    kind(2);
  } else if (typeof value === 'string') {
    writer.tag(4, WireType.LengthDelimited).string(value);
    kind(3);
  } else if ('float' in value) {
    writer.tag(2, WireType.Bit32).float(value.float);
    kind(1);
  } else {
    for (const item of value) writer.tag(8, WireType.Varint).int64(item);
    kind(7);
  }
}

function writeTensor(writer: BinaryWriter, tensor: OnnxTensor): void {
  for (const dimension of tensor.dimensions) writer.tag(1, WireType.Varint).int64(dimension);
  writer.tag(2, WireType.Varint).int32(tensor.data instanceof Float32Array ? elementTypes.float32 : elementTypes.int64);
  writer.tag(8, WireType.LengthDelimited).string(tensor.name);
  const { buffer, byteOffset, byteLength } = tensor.data;
  writer.tag(9, WireType.LengthDelimited).bytes(new Uint8Array(buffer, byteOffset, byteLength));
}

function writeValue(writer: BinaryWriter, value: OnnxValue): void {
  writer.tag(1, WireType.LengthDelimited).string(value.name);
  message(writer, 2, () => {
    message(writer, 1, () => {
      writer.tag(1, WireType.Varint).int32(elementTypes[value.type]);
      message(writer, 2, () => {
        for (const dimension of value.shape) {
          message(writer, 1, () => {
            if (dimension === 'batch') writer.tag(2, WireType.LengthDelimited).string('batch');
            else writer.tag(1, WireType.Varint).int64(dimension);
          });
        }
      });
    });
  });
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}
