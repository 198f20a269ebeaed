package org.svcmailbox.it.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A message of Protocol Buffers without its schema: the fields that have a length. */
record Protobuf(List<Field> fields) {
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int LENGTH = 2;
  private static final int FOUR_BYTES = 5;

  private record Field(int number, ByteBuffer value) {}

  /** Reads one. */
  static Protobuf of(byte[] message) {
    List<Field> fields = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(message);
    while (in.hasRemaining()) {
      long tag = varint(in);
      fields.add(new Field((int) (tag >>> 3), value(in, (int) (tag & 7))));
    }
    return new Protobuf(fields);
  }

  /** The messages in a repeated field. */
  Stream<Protobuf> messages(int number) {
    return values(number).map(Protobuf::of);
  }

  /** A field's bytes; empty when it is not there. */
  byte[] bytes(int number) {
    return values(number).findFirst().orElse(new byte[0]);
  }

  /** A field's text; empty when it is not there. */
  String text(int number) {
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  private Stream<byte[]> values(int number) {
    return fields.stream().filter(field -> field.number() == number).map(Protobuf::bytes);
  }

  private static byte[] bytes(Field field) {
    byte[] bytes = new byte[field.value().remaining()];
    field.value().duplicate().get(bytes);
    return bytes;
  }

  private static ByteBuffer value(ByteBuffer in, int type) {
    int length =
        switch (type) {
          case VARINT -> {
            varint(in);
            yield 0;
          }
          case EIGHT_BYTES -> Long.BYTES;
          case LENGTH -> (int) varint(in);
          case FOUR_BYTES -> Integer.BYTES;
          default -> throw new IllegalArgumentException("wire type " + type);
        };
    ByteBuffer value = in.slice(in.position(), length);
    in.position(in.position() + length);
    return value;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }
}
