package org.svcmailbox.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** RECV of ten and ACK of the ten as a batch, until a topic is empty. */
final class ReceiveLoad {
  /** How many connections receive. */
  static final int CONNECTIONS = 8;

  private static final int MOST = 10;
  private static final int BATCH = 100;

  private final LoadTarget target;
  private int fills;

  ReceiveLoad(LoadTarget target) {
    this.target = target;
  }

  /**
   * What one load measured.
   *
   * @param perSecond messages that were received and acknowledged
   * @param generatorCpu the generator's share of all cores' time
   */
  record Result(
      double perSecond,
      double recvP50Millis,
      double recvP99Millis,
      double ackP50Millis,
      double ackP99Millis,
      double generatorCpu) {}

  private record Share(long messages, List<Long> recvNanos, List<Long> ackNanos) {}

  /** Puts so many messages into a topic. */
  void fill(String topic, int messages) throws InterruptedException {
    int perConnection = messages / CONNECTIONS;
    String fill = fills++ + "-";
    onAllConnections(
        (connection, number) -> {
          for (int done = 0; done < perConnection; done += BATCH) {
            int first = done;
            String batch = Messages.batch(topic, BATCH, i -> fill + number + "-" + (first + i));
            String answer = connection.post("/v1/send/batch", batch);
            if (answer.contains("\"error\"")) {
              throw new IOException("not every message was accepted: " + answer);
            }
          }
          return new Share(perConnection, List.of(), List.of());
        });
  }

  /** Empties the topic. */
  Result run(String topic) throws InterruptedException {
    return run(List.of(topic), Long.MAX_VALUE);
  }

  /** Takes so many messages out of some topics, by turns, or all there are. */
  Result run(List<String> topics, long most) throws InterruptedException {
    AtomicLong left = new AtomicLong(most);
    Duration cpuBefore = CpuClock.own();
    long before = System.nanoTime();
    List<Share> shares = onAllConnections((connection, number) -> drain(connection, topics, left));
    double seconds = (System.nanoTime() - before) / 1e9;
    double cpu = CpuClock.own().minus(cpuBefore).toNanos() / 1e9;
    List<Long> recv = shares.stream().flatMap(one -> one.recvNanos().stream()).toList();
    List<Long> ack = shares.stream().flatMap(one -> one.ackNanos().stream()).toList();
    return new Result(
        shares.stream().mapToLong(Share::messages).sum() / seconds,
        Samples.percentile(recv, 50) / 1e6,
        Samples.percentile(recv, 99) / 1e6,
        Samples.percentile(ack, 50) / 1e6,
        Samples.percentile(ack, 99) / 1e6,
        cpu / seconds / Runtime.getRuntime().availableProcessors());
  }

  private static Share drain(HttpConnection connection, List<String> topics, AtomicLong left)
      throws IOException {
    List<Long> recvNanos = new ArrayList<>();
    List<Long> ackNanos = new ArrayList<>();
    Deque<String> filled = new ArrayDeque<>(topics);
    long messages = 0;
    while (!filled.isEmpty() && left.get() > 0) {
      String topic = filled.remove();
      long before = System.nanoTime();
      String answer = connection.post("/v1/recv", recv(topic));
      long received = System.nanoTime();
      AckBatch acks = AckBatch.of(answer);
      if (acks.size() > 0) {
        String acked = connection.post("/v1/ack/batch", acks.json());
        ackNanos.add(System.nanoTime() - received);
        recvNanos.add(received - before);
        messages += acks.size();
        left.addAndGet(-acks.size());
        filled.add(topic);
        if (acked.contains("\"error\"")) {
          throw new IOException("not every message was acknowledged: " + acked);
        }
      }
    }
    return new Share(messages, recvNanos, ackNanos);
  }

  private static String recv(String topic) {
    return "{\"topic\":\"" + topic + "\",\"max_messages\":" + MOST + ",\"visibility_ms\":60000}";
  }

  private interface Work {
    Share on(HttpConnection connection, int number) throws IOException;
  }

  private List<Share> onAllConnections(Work work) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Callable<Share>> tasks = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int number = i;
        tasks.add(() -> connected(work, number));
      }
      List<Share> shares = new ArrayList<>();
      for (Future<Share> future : threads.invokeAll(tasks)) {
        shares.add(future.get());
      }
      return shares;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private Share connected(Work work, int number) throws IOException {
    try (HttpConnection connection = new HttpConnection(target)) {
      return work.on(connection, number);
    }
  }
}
