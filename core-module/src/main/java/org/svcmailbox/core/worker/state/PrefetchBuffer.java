package org.svcmailbox.core.worker.state;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;

/**
 * Prefetched messages of one shard, ordered by {@code seq}, so that a returned message keeps its
 * place. If the broker outlived a database, two messages may have the same {@code seq}; the older
 * id then comes first.
 */
public final class PrefetchBuffer {
  private record Position(long seq, MsgId msgId) implements Comparable<Position> {
    private static final Comparator<Position> ORDER =
        Comparator.comparingLong(Position::seq).thenComparing(Position::msgId);

    static Position of(Delivery delivery) {
      Envelope envelope = delivery.message().envelope();
      return new Position(envelope.seq(), envelope.msgId());
    }

    @Override
    public int compareTo(Position other) {
      return ORDER.compare(this, other);
    }
  }

  private final TreeMap<Position, Delivery> ordered = new TreeMap<>();
  private long bytes;

  public void add(Delivery delivery) {
    Delivery before = ordered.putIfAbsent(Position.of(delivery), delivery);
    if (before != null) {
      throw new IllegalStateException("two deliveries of " + id(delivery));
    }
    bytes += size(delivery);
  }

  /** Whether it contains this message, from this delivery or another. */
  boolean holds(Delivery delivery) {
    return ordered.containsKey(Position.of(delivery));
  }

  /** At most {@code most} messages that match, in order. */
  public List<Delivery> where(Predicate<Delivery> matches, int most) {
    return ordered.values().stream().filter(matches).limit(most).toList();
  }

  public @Nullable Delivery first() {
    return ordered.isEmpty() ? null : ordered.firstEntry().getValue();
  }

  public Stream<Delivery> first(int most) {
    return ordered.values().stream().limit(most);
  }

  public void remove(Delivery delivery) {
    if (ordered.remove(Position.of(delivery), delivery)) {
      bytes -= size(delivery);
    }
  }

  public @Nullable Delivery find(MsgId msgId) {
    for (Delivery delivery : ordered.values()) {
      if (id(delivery).equals(msgId)) {
        return delivery;
      }
    }
    return null;
  }

  public boolean isEmpty() {
    return ordered.isEmpty();
  }

  public int size() {
    return ordered.size();
  }

  public long bytes() {
    return bytes;
  }

  void clear() {
    ordered.clear();
    bytes = 0;
  }

  private static MsgId id(Delivery delivery) {
    return delivery.message().envelope().msgId();
  }

  private static int size(Delivery delivery) {
    return delivery.message().payload().size();
  }
}
