package org.svcmailbox.bench.stream;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.http.LoadTarget;

/** Open streams of an empty topic. */
final class IdleStreams implements Closeable {
  private static final int WINDOW = 100;
  private static final long WINDOW_BYTES = 1 << 20;

  /** A connection takes 128 calls. */
  private static final int OF_A_CONNECTION = 100;

  private static final int BUFFER = 512;
  private static final long PATIENCE_SECONDS = 60;

  private final int count;
  private final List<Closeable> open = new ArrayList<>();

  private IdleStreams(int count) {
    this.count = count;
  }

  /** Streams in JSON lines, each on a connection of its own. */
  static IdleStreams ndjson(LoadTarget client, String topic, int count) throws IOException {
    IdleStreams streams = new IdleStreams(count);
    for (int i = 0; i < count; i++) {
      streams.open.add(new NdjsonStream(client, topic, WINDOW, BUFFER));
    }
    return streams;
  }

  /** Streams over gRPC, a hundred on a connection. */
  static IdleStreams grpc(Server server, LoadTarget client, String topic, int count)
      throws InterruptedException {
    IdleStreams streams = new IdleStreams(count);
    int connections = (count + OF_A_CONNECTION - 1) / OF_A_CONNECTION;
    GrpcDoor door = new GrpcDoor(server.at(GrpcDoor.PORT), client, connections);
    streams.open.add(door);
    CountDownLatch opened = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      new GrpcStream(message -> {}, settled -> {}, opened::countDown)
          .open(door.mailbox(i), topic, WINDOW, WINDOW_BYTES);
    }
    if (!opened.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(opened.getCount() + " streams do not open");
    }
    return streams;
  }

  int count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    for (Closeable each : open) {
      each.close();
    }
  }
}
