package org.svcmailbox.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;

/** Streams in JSON lines that empty a topic, each beside a connection for its acknowledgements. */
record NdjsonDrain(LoadTarget target, int streams, int window, int batch) implements Drain {
  private static final int BUFFER = 1 << 16;

  @Override
  public double seconds(String topic, int messages) throws IOException, InterruptedException {
    Acknowledged acknowledged = new Acknowledged(messages);
    List<NdjsonStream> open = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      NdjsonStream stream = new NdjsonStream(target, topic, window, BUFFER);
      open.add(stream);
      Thread thread = new Thread(() -> receive(stream, acknowledged), "stream-" + i);
      threads.add(thread);
      thread.start();
    }
    double seconds = acknowledged.seconds();
    for (int i = 0; i < streams; i++) {
      open.get(i).close();
      threads.get(i).join();
    }
    return seconds;
  }

  /** Ends with the stream, when all is acknowledged. */
  private void receive(NdjsonStream stream, Acknowledged acknowledged) {
    try (HttpConnection settlements = new HttpConnection(target)) {
      while (!acknowledged.isDone()) {
        AckBatch acks = AckBatch.of(stream.messages(batch));
        String unused = settlements.postBatch("/v1/ack/batch", acks.json());
        acknowledged.add(acks.size());
      }
    } catch (IOException e) {
      if (!acknowledged.isDone()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
