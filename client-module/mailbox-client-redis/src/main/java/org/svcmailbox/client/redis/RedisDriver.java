package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.Batcher;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.spi.MailboxThreads;
import org.svcmailbox.client.spi.OpenCalls;
import redis.clients.jedis.util.Pool;

/** The queue in Redis. All its state is there; this object holds connections. */
final class RedisDriver implements MailboxDriver {
  private static final int MAX_RECEIVED_BYTES = 8 << 20;

  /** Longer durations would exceed the integers that a score represents exactly. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** The number of elements per delivery in the receive script's answer. */
  private static final int WIDTH = 5;

  /**
   * How many batches of asynchronous sends may be outstanding; a second one would overtake the
   * first.
   */
  private static final int BATCHES = 1;

  /** The most bytes of bodies in a batch, unless a single body is larger. */
  private static final int BATCH_BYTES = 1 << 20;

  private final String name;
  private final String location;
  private final BackendFeatures features;
  private final int capacity;
  private final boolean replicated;
  private final Servers servers;
  private final ScriptRunner scripts;
  private final HeadWaiter head;
  private final UniqueIds ids = new UniqueIds();
  private final Duration flush;
  private final OpenCalls asynchronous;
  private final ExecutorService threads;
  private final Batcher<SendTask> sends;

  /**
   * @param servers closed with the driver
   */
  RedisDriver(
      RedisMailbox.Builder<?, ?> from, Servers servers, ScriptRunner scripts, HeadWaiter head) {
    this.name = from.name;
    this.location = from.location();
    this.features = BackendFeatures.REDIS.with(changed -> changed.maxBodyBytes(from.maxBodyBytes));
    this.capacity = from.capacity;
    this.replicated = from.replicas > 0;
    this.servers = servers;
    this.scripts = scripts;
    this.head = head;
    this.flush = from.flush;
    this.asynchronous = new OpenCalls(name, MailboxClock.system());
    this.threads = MailboxThreads.of(name);
    this.sends =
        new Batcher<>(
            asynchronous,
            this::runBatch,
            threads,
            new Batcher.Bounds(
                BATCHES,
                from.bufferMessages,
                from.bufferBytes,
                features.maxBatch(),
                BATCH_BYTES,
                Duration.ZERO));
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public BackendFeatures features() {
    return features;
  }

  @Override
  public Sent send(EncodedMessage message) {
    return sendAll(List.of(message)).get(0).orThrow();
  }

  /** One round trip for all messages. */
  @Override
  public List<SendResult> sendAll(List<EncodedMessage> messages) {
    return sendAll(messages.stream().map(this::call));
  }

  private List<SendResult> sendAll(Stream<byte[][]> calls) {
    return scripts.runAll(Script.SEND, calls.toList()).stream().map(this::result).toList();
  }

  /**
   * Gathers messages while a batch is outstanding. Each message is a script call of its own, as in
   * any other send.
   */
  @Override
  public CompletionStage<Sent> sendAsync(EncodedMessage message) {
    SendTask task = new SendTask(call(message), message.payload().size());
    sends.add(task);
    return task.stage();
  }

  private void runBatch(List<SendTask> batch) {
    List<SendResult> results = sendAll(batch.stream().map(SendTask::arguments));
    for (int i = 0; i < results.size(); i++) {
      batch.get(i).end(results.get(i));
    }
  }

  private byte[][] call(EncodedMessage message) {
    String id = ids.next();
    return new byte[][] {
      Entry.of(message.key(), id).bytes(),
      id.getBytes(UTF_8),
      micros(message.delay()),
      number(capacity),
      StoredRecord.content(message),
      number(replicated ? 1 : 0)
    };
  }

  private SendResult result(Object outcome) {
    if (outcome instanceof MailboxException failure) {
      return new SendResult.Failed(failure);
    }
    List<?> answer = (List<?>) outcome;
    int status = status(answer);
    return switch (status) {
      case 0, 1 -> new SendResult.Accepted(new Sent(text(answer.get(1)), status == 1));
      case 2 ->
          new SendResult.Failed(
              new MailboxFullException("mailbox " + name + " holds " + capacity + " messages"));
      default ->
          new SendResult.Failed(
              new KeyConflictException("a message has this key and another body"));
    };
  }

  @Override
  public List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    long end = System.nanoTime() + bounded(wait).toNanos();
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      List<?> answer =
          scripts.run(
              Script.RECEIVE,
              number(maxMessages),
              micros(visibility),
              ids.next().getBytes(UTF_8),
              number(MAX_RECEIVED_BYTES));
      long left = end - System.nanoTime();
      if (answer.size() > 1 || left <= 0 || head.isClosed()) {
        return deliveries(answer);
      }
      long next = (Long) answer.get(0);
      head.await(
          next < 0 ? left : Math.min(left, bounded(Duration.ofMillis(next / 1000 + 1)).toNanos()));
      if (head.isClosed()) {
        return List.of();
      }
    }
  }

  private static List<DriverDelivery> deliveries(List<?> answer) {
    List<DriverDelivery> deliveries = new ArrayList<>();
    for (int i = 1; i < answer.size(); i += WIDTH) {
      Entry entry = Entry.of((byte[]) answer.get(i));
      RedisReceipt receipt = new RedisReceipt(text(answer.get(i + 1)), entry);
      StoredRecord stored = StoredRecord.parse(entry, (byte[]) answer.get(i + 4));
      deliveries.add(
          new DriverDelivery(
              stored.id,
              receipt.handle(),
              Math.toIntExact((Long) answer.get(i + 2)),
              stored.enqueuedAt,
              stored.message,
              text(answer.get(i + 3))));
    }
    return deliveries;
  }

  @Override
  public void acknowledge(DriverDelivery delivery) {
    settle(Script.ACKNOWLEDGE, delivery);
  }

  @Override
  public void nack(DriverDelivery delivery, Duration visibility, String reason) {
    settle(Script.NACK, delivery, micros(visibility), reason.getBytes(UTF_8));
  }

  @Override
  public void extend(DriverDelivery delivery, Duration timeout) {
    settle(Script.EXTEND, delivery, micros(timeout));
  }

  @Override
  public int maxExtensions() {
    return features.maxBatch();
  }

  /** One round trip for all leases. If the one before had no answer, it uses a new connection. */
  @Override
  public List<Optional<RuntimeException>> extendAll(
      List<DriverDelivery> deliveries, Extension extension) {
    if (!extension.unanswered().isZero()) {
      servers.pools().forEach(Pool::clear);
    }
    byte[] timeout = micros(extension.timeout());
    List<Object> outcomes =
        scripts.runAll(
            Script.EXTEND,
            deliveries.stream().map(delivery -> arguments(delivery, timeout)).toList());
    List<Optional<RuntimeException>> failures = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      failures.add(failure(deliveries.get(i), outcomes.get(i)));
    }
    return failures;
  }

  private void settle(Script script, DriverDelivery delivery, byte[]... more) {
    Object outcome = scripts.runAll(script, List.<byte[][]>of(arguments(delivery, more))).get(0);
    failure(delivery, outcome)
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  private static byte[][] arguments(DriverDelivery delivery, byte[]... more) {
    RedisReceipt receipt = RedisReceipt.parse(delivery.receiptHandle());
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(receipt.entry().bytes());
    arguments.add(receipt.nonce().getBytes(UTF_8));
    arguments.addAll(List.of(more));
    return arguments.toArray(byte[][]::new);
  }

  private static Optional<RuntimeException> failure(DriverDelivery delivery, Object outcome) {
    if (outcome instanceof MailboxException failure) {
      return Optional.of(failure);
    }
    int status = status((List<?>) outcome);
    if (status == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new ReceiptHandleExpiredException(
            delivery.id(),
            switch (status) {
              case ScriptRunner.GONE -> Why.GONE;
              case 5 -> Why.EXPIRED;
              default -> Why.SUPERSEDED;
            }));
  }

  @Override
  public OptionalLong purge() {
    return OptionalLong.of((Long) scripts.run(Script.PURGE).get(1));
  }

  @Override
  public long approximateCount() {
    return (Long) scripts.run(Script.COUNT).get(1);
  }

  @Override
  public void close() {
    boolean unused = asynchronous.beginClosing();
    head.close();
    asynchronous.awaitEnds(flush);
    sends.abandon();
    threads.shutdown();
    servers.close();
  }

  private static int status(List<?> answer) {
    return Math.toIntExact((Long) answer.get(0));
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, UTF_8);
  }

  private static byte[] number(long value) {
    return Long.toString(value).getBytes(UTF_8);
  }

  /** Rounded up, so that a lease is never shorter than requested. */
  private static byte[] micros(Duration duration) {
    return number((bounded(duration).toNanos() + 999) / 1000);
  }

  private static Duration bounded(Duration duration) {
    return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
  }
}
