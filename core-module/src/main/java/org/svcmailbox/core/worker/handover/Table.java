package org.svcmailbox.core.worker.handover;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Values that are written once and then referred to by index. */
final class Table<T> {
  private final Function<T, byte[]> encoder;
  private final Map<T, Integer> places = new HashMap<>();
  private final List<byte[]> encoded = new ArrayList<>();

  Table(Function<T, byte[]> encoder) {
    this.encoder = encoder;
  }

  /** Bytes that the table would grow by; 0 if it contains the value. */
  int sizeOf(T value) {
    return places.containsKey(value) ? 0 : encoder.apply(value).length;
  }

  int placeOf(T value) {
    return places.computeIfAbsent(
        value,
        added -> {
          encoded.add(encoder.apply(added));
          return encoded.size() - 1;
        });
  }

  List<byte[]> encoded() {
    return encoded;
  }
}
