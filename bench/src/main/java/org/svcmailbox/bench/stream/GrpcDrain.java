package org.svcmailbox.bench.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Received;

/** Streams over gRPC that empty a topic and acknowledge in batches, within the streams. */
record GrpcDrain(GrpcDoor door, int streams, int window, int batch) implements Drain {
  private static final long WINDOW_BYTES = 1 << 20;

  @Override
  public double seconds(String topic, int messages) throws InterruptedException {
    Acknowledged acknowledged = new Acknowledged(messages);
    AtomicLong left = new AtomicLong(messages);
    List<Receiver> receivers = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      receivers.add(new Receiver(left, acknowledged, receivers));
    }
    // Only now: an open stream looks for the other receivers in the list.
    for (int i = 0; i < streams; i++) {
      receivers.get(i).stream.open(door.mailbox(i), topic, window, WINDOW_BYTES);
    }
    double seconds = acknowledged.seconds();
    receivers.forEach(one -> one.stream.cancel());
    return seconds;
  }

  private final class Receiver {
    private final AtomicLong left;
    private final List<Receiver> all;
    private final GrpcStream stream;
    private final List<Ack> acks = new ArrayList<>();

    Receiver(AtomicLong left, Acknowledged acknowledged, List<Receiver> all) {
      this.left = left;
      this.all = all;
      this.stream = new GrpcStream(this::receive, acknowledged::add, () -> {});
    }

    private void receive(Received message) {
      add(GrpcStream.ackOf(message));
      if (left.decrementAndGet() == 0) {
        // No batch becomes whole any more.
        all.forEach(Receiver::flush);
      }
    }

    private synchronized void add(Ack ack) {
      acks.add(ack);
      if (acks.size() == batch) {
        flush();
      }
    }

    private synchronized void flush() {
      if (!acks.isEmpty()) {
        stream.ack(List.copyOf(acks));
        acks.clear();
      }
    }
  }
}
