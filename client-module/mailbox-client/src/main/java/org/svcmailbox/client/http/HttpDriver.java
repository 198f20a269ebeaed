package org.svcmailbox.client.http;

import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Capabilities;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.BatchTask;
import org.svcmailbox.client.spi.Batcher;
import org.svcmailbox.client.spi.Delivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.spi.MailboxThreads;

/** One topic of the service. */
final class HttpDriver implements MailboxDriver {
  /** How many requests each batcher has out at once. */
  static final int MAX_REQUESTS = 4;

  /** How long closing waits for what is under way. */
  private static final Duration FLUSH = Duration.ofSeconds(10);

  private static final int KEY_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String topic;
  private final URI service;
  private final KeyedTokens tokens;
  private final Capabilities capabilities;
  private final MailboxClock clock;
  private final Duration sendTimeout;
  private final Duration callTimeout;
  private final HttpConnections connections;
  private final Lifecycle lifecycle;
  private final Receiver receiver;
  private final Repeater repeater;
  private final ExecutorService threads;
  private final Batcher<Task<Sent>> sends;
  private final Batcher<Task<Boolean>> acknowledgements;

  HttpDriver(HttpMailbox.Builder<?, ?> from, Capabilities capabilities) {
    this.topic = from.name;
    this.service = from.service;
    this.capabilities = capabilities;
    this.clock = from.clock;
    this.sendTimeout = from.sendTimeout;
    this.callTimeout = from.callTimeout;
    this.connections =
        from.connections != null ? from.connections : HttpConnections.builder().build();
    this.lifecycle = new Lifecycle(topic, clock, connections::wake);
    this.tokens = new KeyedTokens(from.narrowedTokens());
    Transport transport =
        new Transport(topic, from.service, tokens, connections, lifecycle, clock, callTimeout);
    this.receiver = new Receiver(transport, lifecycle, clock, callTimeout);
    this.repeater = new Repeater(topic, transport, lifecycle, clock, from.random);
    this.threads = MailboxThreads.of(topic);
    int batch = capabilities.maxBatch();
    this.sends =
        batcher(
            Endpoints.SEND,
            new Batcher.Bounds(
                MAX_REQUESTS,
                from.bufferMessages,
                from.bufferBytes,
                batch,
                capabilities.maxBodyBytes(),
                from.linger));
    this.acknowledgements =
        batcher(
            Endpoints.ACK,
            new Batcher.Bounds(
                MAX_REQUESTS,
                from.bufferMessages,
                from.bufferBytes,
                batch,
                Integer.MAX_VALUE,
                Duration.ZERO));
  }

  private <A> Batcher<Task<A>> batcher(Endpoint<A> endpoint, Batcher.Bounds bounds) {
    return new Batcher<>(lifecycle, batch -> repeater.run(endpoint, batch), threads, bounds);
  }

  @Override
  public String location() {
    return service.toString();
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Sent send(EncodedMessage message) {
    return lifecycle.underWay(() -> done(Endpoints.SEND, task(message)));
  }

  @Override
  public List<SendResult> sendAll(List<EncodedMessage> messages) {
    return lifecycle.underWay(
        () -> {
          List<Task<Sent>> tasks = messages.stream().map(this::task).toList();
          sends.runAll(tasks);
          return tasks.stream().map(BatchTask::sendResult).toList();
        });
  }

  @Override
  public CompletionStage<Sent> sendAsync(EncodedMessage message) {
    Task<Sent> task = task(message);
    sends.add(task);
    return task.stage();
  }

  @Override
  public List<Delivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    Answer answer = receiver.receive(topic, maxMessages, visibility, wait);
    return answer == null ? List.of() : deliveries(answer);
  }

  private List<Delivery> deliveries(Answer answer) {
    try {
      return Received.read(answer.body(), topic);
    } catch (IOException e) {
      throw Failure.unknown("the answer to a receive cannot be read", e).cause();
    }
  }

  @Override
  public void acknowledge(Delivery delivery) {
    Task<Boolean> task = shortTask(Json.acknowledge(delivery));
    acknowledgements.add(task);
    boolean unused = task.await();
  }

  @Override
  public void nack(Delivery delivery, Duration visibility, String reason) {
    settle(Endpoints.NACK, Json.nack(delivery, visibility, reason));
  }

  @Override
  public void extend(Delivery delivery, Duration timeout) {
    settle(Endpoints.EXTEND, Json.extend(delivery, timeout));
  }

  @Override
  public int maxExtensions() {
    return capabilities.maxBatch();
  }

  /**
   * An attempt on other connections does not end the one before it, whose answer may still come.
   */
  @Override
  public List<Optional<RuntimeException>> extendAll(
      List<Delivery> deliveries, Extension extension) {
    if (!extension.unanswered().isZero()) {
      connections.suspect(extension.unanswered());
    }
    long begun = clock.nanoTime();
    long deadline = clock.deadline(extension.within());
    return lifecycle.underWay(
        () -> {
          List<Task<Boolean>> tasks =
              deliveries.stream()
                  .map(delivery -> Json.extend(delivery, extension.timeout()))
                  .map(json -> new Task<Boolean>(json, 0, begun, deadline))
                  .toList();
          repeater.run(Endpoints.HEARTBEAT, tasks);
          return tasks.stream().map(BatchTask::failure).toList();
        });
  }

  private void settle(Endpoint<Boolean> endpoint, byte[] json) {
    boolean unused = lifecycle.underWay(() -> done(endpoint, shortTask(json)));
  }

  @Override
  public OptionalLong purge() {
    return lifecycle.underWay(
        () -> {
          Task<Long> task = shortTask(new byte[0]);
          long purged = done(Endpoints.purge(topic), task);
          // An attempt without an answer may have deleted more.
          return task.isDoubtful() ? OptionalLong.empty() : OptionalLong.of(purged);
        });
  }

  @Override
  public long approximateCount() {
    return lifecycle.underWay(() -> done(Endpoints.count(topic), shortTask(null)));
  }

  @Override
  public void close() {
    if (lifecycle.beginClosing()) {
      sends.flush();
      lifecycle.finish(FLUSH);
      sends.abandon();
      acknowledgements.abandon();
      threads.shutdown();
    }
  }

  private <A> A done(Endpoint<A> endpoint, Task<A> task) {
    repeater.run(endpoint, List.of(task));
    return task.await();
  }

  private Task<Sent> task(EncodedMessage message) {
    String key = message.key();
    return new Task<>(
        Json.send(topic, message, key != null ? key : tokens.keyPrefix() + randomKey()),
        message.payload().size(),
        clock.nanoTime(),
        clock.deadline(sendTimeout));
  }

  /** A task that is repeated for no longer than one call may take. */
  private <A> Task<A> shortTask(byte @Nullable [] json) {
    return new Task<>(json, 0, clock.nanoTime(), clock.deadline(callTimeout));
  }

  private static String randomKey() {
    byte[] random = new byte[KEY_BYTES];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
