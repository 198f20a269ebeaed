package org.svcmailbox.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;

/** Receivers that keep a topic short until they are stopped. */
public final class BackgroundReceivers {
  private static final int CONNECTIONS = 4;
  private static final int MOST = 100;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final LoadTarget target;
  private final String recv;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(CONNECTIONS, BackgroundReceivers::daemon);
  private final List<Future<?>> receivers = new ArrayList<>();
  private volatile boolean over;

  private BackgroundReceivers(LoadTarget target, String topic) {
    this.target = target;
    this.recv = "{\"topic\":\"" + topic + "\",\"max_messages\":" + MOST + "}";
  }

  /** Starts receiving from an existing topic. */
  public static BackgroundReceivers begin(LoadTarget target, String topic) {
    BackgroundReceivers started = new BackgroundReceivers(target, topic);
    for (int i = 0; i < CONNECTIONS; i++) {
      started.receivers.add(started.threads.submit(started::receive));
    }
    return started;
  }

  private static Thread daemon(Runnable receiver) {
    Thread thread = new Thread(receiver, "receiver");
    thread.setDaemon(true);
    return thread;
  }

  private Void receive() throws IOException {
    try (HttpConnection connection = new HttpConnection(target)) {
      while (!over) {
        AckBatch acks = AckBatch.of(connection.post("/v1/recv", recv));
        if (acks.size() > 0) {
          connection.post("/v1/ack/batch", acks.json());
        }
        if (acks.size() < MOST) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
    return null;
  }

  /**
   * Stops the receivers.
   *
   * @throws IllegalStateException if one failed
   */
  public void end() throws InterruptedException {
    over = true;
    try {
      for (Future<?> receiver : receivers) {
        receiver.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the receivers failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
