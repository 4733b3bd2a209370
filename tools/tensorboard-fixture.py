"""Writes the event messages that src/training/tensorboard.ts is tested against.

Run from the repository's root: python3 tools/tensorboard-fixture.py
The messages are built by Google's protobuf for Python from the fields that TensorBoard's event.proto and summary.proto
declare (names, numbers and types), and serialised by it.
"""
import json
import struct
import zlib
from pathlib import Path

import google.protobuf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

TYPES = descriptor_pb2.FieldDescriptorProto
SCHEMA = {
    "Image": [("height", 1, "INT32"), ("width", 2, "INT32"), ("colorspace", 3, "INT32"), ("encoded_image_string", 4, "BYTES")],
    "Value": [("tag", 1, "STRING"), ("simple_value", 2, "FLOAT", "value"), ("image", 4, "Image", "value")],
    "Summary": [("value", 1, "*Value")],
    "SessionLog": [("status", 1, "INT32")],
    "Event": [
        ("wall_time", 1, "DOUBLE"),
        ("step", 2, "INT64"),
        ("file_version", 3, "STRING", "what"),
        ("summary", 5, "Summary", "what"),
        ("session_log", 7, "SessionLog", "what"),
    ],
}


def messages():
    file = descriptor_pb2.FileDescriptorProto(name="events.proto", package="t", syntax="proto3")
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        for field_name, number, kind, *oneof in fields:
            field = message.field.add(name=field_name, number=number)
            field.label = TYPES.LABEL_REPEATED if kind.startswith("*") else TYPES.LABEL_OPTIONAL
            kind = kind.lstrip("*")
            if kind in SCHEMA:
                field.type, field.type_name = TYPES.TYPE_MESSAGE, f".t.{kind}"
            else:
                field.type = getattr(TYPES, f"TYPE_{kind}")
            for group in oneof:
                if not message.oneof_decl:
                    message.oneof_decl.add(name=group)
                field.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return {name: factory.GetPrototype(pool.FindMessageTypeByName(f"t.{name}")) for name in SCHEMA}


def png(width, height, colour_type, pixels):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def main():
    kinds = messages()
    Event, Summary, Value, Image = (kinds[name] for name in ("Event", "Summary", "Value", "Image"))
    wall_time = 1767225600.25
    scalars = {"terms/loss": 81.25, "terms/KL of z": 0.0, "β": -1e-3}
    picture = png(3, 2, 2, b"\0" + bytes(range(9)) + b"\0" + bytes(range(9)))
    image = Image(height=2, width=3, colorspace=3, encoded_image_string=picture)
    events = [
        Event(wall_time=wall_time, file_version="brain.Event:2"),
        Event(wall_time=wall_time, step=501, session_log=kinds["SessionLog"](status=1)),
        Event(wall_time=wall_time, step=600, summary=Summary(value=[Value(tag=k, simple_value=v) for k, v in scalars.items()])),
        Event(wall_time=wall_time, step=5000000000, summary=Summary(value=[Value(tag="samples", image=image)])),
    ]
    fixture = {
        "source": f"protobuf for Python {google.protobuf.__version__}",
        "wallTime": wall_time,
        "scalars": scalars,
        "png": picture.hex(),
        "events": [event.SerializeToString().hex() for event in events],
    }
    target = Path("src/training/fixtures/tensorboard.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(fixture, ensure_ascii=False) + "\n")


main()
