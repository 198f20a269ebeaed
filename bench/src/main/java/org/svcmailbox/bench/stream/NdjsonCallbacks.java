package org.svcmailbox.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;

/** Over HTTP and a stream in JSON lines. */
final class NdjsonCallbacks extends Callbacks {
  private static final int WINDOW = 10;
  private static final int BUFFER = 1 << 16;

  private final String topic;
  private final HttpConnection sends;
  private final HttpConnection settlements;
  private final NdjsonStream stream;

  NdjsonCallbacks(LoadTarget target, String topic) throws IOException {
    this.topic = topic;
    sends = new HttpConnection(target);
    settlements = new HttpConnection(target);
    stream = new NdjsonStream(target, topic, WINDOW, BUFFER);
    Thread reader = new Thread(this::read, "callbacks");
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  void send(String key) throws IOException {
    String unused = sends.post("/v1/send", Messages.one(topic, key));
  }

  private void read() {
    try {
      while (true) {
        String line = stream.messages(1);
        arrived(new Arrival(System.nanoTime(), () -> acknowledge(line)));
      }
    } catch (IOException e) {
      // The turn is over.
    }
  }

  private void acknowledge(String line) {
    try {
      String unused = settlements.postBatch("/v1/ack/batch", AckBatch.of(line).json());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
    sends.close();
    settlements.close();
  }
}
