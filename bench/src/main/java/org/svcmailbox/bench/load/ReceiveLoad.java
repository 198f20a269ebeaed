package org.svcmailbox.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.AckBatch;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;
import org.svcmailbox.bench.machine.CpuClock;

/** RECV of ten messages and one ACK for the ten, over eight connections. */
public final class ReceiveLoad {
  public static final int CONNECTIONS = 8;

  private static final int MOST = 10;
  private static final int BATCH = 100;

  private final LoadTarget target;
  private int fills;

  public ReceiveLoad(LoadTarget target) {
    this.target = target;
  }

  /**
   * The result of one load.
   *
   * @param perSecond messages received and acknowledged
   * @param generatorCpu share of the generator in the time of all cores
   */
  public record Result(
      double perSecond,
      double recvP50Millis,
      double recvP99Millis,
      double ackP50Millis,
      double ackP99Millis,
      double generatorCpu) {}

  private record Share(long messages, List<Long> recvNanos, List<Long> ackNanos) {}

  /** Fills a topic. */
  public void fill(String topic, int messages) throws InterruptedException {
    int perConnection = messages / CONNECTIONS;
    String fill = fills++ + "-";
    onAllConnections(
        (connection, number) -> {
          for (int done = 0; done < perConnection; done += BATCH) {
            int first = done;
            String batch = Messages.batch(topic, BATCH, i -> fill + number + "-" + (first + i));
            connection.postBatch("/v1/send/batch", batch);
          }
          return new Share(perConnection, List.of(), List.of());
        });
  }

  public Result run(String topic) throws InterruptedException {
    return run(List.of(topic), Long.MAX_VALUE);
  }

  /** Receives up to {@code most} messages of several topics in turn. */
  public Result run(List<String> topics, long most) throws InterruptedException {
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
        Samples.millis(recv, 50),
        Samples.millis(recv, 99),
        Samples.millis(ack, 50),
        Samples.millis(ack, 99),
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
        connection.postBatch("/v1/ack/batch", acks.json());
        ackNanos.add(System.nanoTime() - received);
        recvNanos.add(received - before);
        messages += acks.size();
        left.addAndGet(-acks.size());
        filled.add(topic);
      }
    }
    return new Share(messages, recvNanos, ackNanos);
  }

  private static String recv(String topic) {
    return "{\"topic\":\"" + topic + "\",\"max_messages\":" + MOST + ",\"visibility_ms\":60000}";
  }

  private interface Task {
    Share on(HttpConnection connection, int number) throws IOException;
  }

  private List<Share> onAllConnections(Task task) throws InterruptedException {
    List<Callable<Share>> tasks = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      int number = i;
      tasks.add(() -> connected(task, number));
    }
    return Parallel.run(tasks);
  }

  private Share connected(Task task, int number) throws IOException {
    try (HttpConnection connection = new HttpConnection(target)) {
      return task.on(connection, number);
    }
  }
}
