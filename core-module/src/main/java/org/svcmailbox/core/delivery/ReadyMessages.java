package org.svcmailbox.core.delivery;

import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;

/**
 * Messages of one shard that the broker has handed over and nobody holds, by their place in the
 * shard: what came back goes out before what came later.
 */
final class ReadyMessages {
  private final TreeMap<Long, Delivery> bySeq = new TreeMap<>();
  private long bytes;

  void add(Delivery delivery) {
    Delivery before = bySeq.put(seq(delivery), delivery);
    if (before != null) {
      throw new IllegalStateException("two deliveries of " + id(delivery));
    }
    bytes += size(delivery);
  }

  @Nullable Delivery first() {
    return bySeq.isEmpty() ? null : bySeq.firstEntry().getValue();
  }

  /** At most so many, in order. */
  Stream<Delivery> first(int most) {
    return bySeq.values().stream().limit(most);
  }

  void remove(Delivery delivery) {
    if (bySeq.remove(seq(delivery), delivery)) {
      bytes -= size(delivery);
    }
  }

  @Nullable Delivery find(MsgId msgId) {
    for (Delivery delivery : bySeq.values()) {
      if (id(delivery).equals(msgId)) {
        return delivery;
      }
    }
    return null;
  }

  boolean isEmpty() {
    return bySeq.isEmpty();
  }

  int size() {
    return bySeq.size();
  }

  /** Payload bytes held. */
  long bytes() {
    return bytes;
  }

  void clear() {
    bySeq.clear();
    bytes = 0;
  }

  private static MsgId id(Delivery delivery) {
    return delivery.message().envelope().msgId();
  }

  private static long seq(Delivery delivery) {
    return delivery.message().envelope().seq();
  }

  private static int size(Delivery delivery) {
    return delivery.message().payload().size();
  }
}
