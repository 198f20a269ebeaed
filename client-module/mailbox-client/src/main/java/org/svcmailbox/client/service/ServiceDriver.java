package org.svcmailbox.client.service;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.BatchTask;
import org.svcmailbox.client.spi.Batcher;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.spi.MailboxThreads;

/**
 * One topic of the service, over any protocol. A call is a task that is repeated as often as
 * necessary. A task that need not be a separate request passes a {@code Batcher} first.
 *
 * @param <S> a message to be sent
 * @param <K> a settlement
 */
public abstract class ServiceDriver<S extends RepeatedTask<Sent>, K extends RepeatedTask<Boolean>>
    implements MailboxDriver {
  /** How many requests each batcher has out at once. */
  public static final int MAX_REQUESTS = 4;

  /** How long closing waits for calls in progress. */
  private static final Duration FLUSH = Duration.ofSeconds(10);

  private static final int KEY_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * The settings of a mailbox.
   *
   * @param location of the service, for logs
   * @param random from 0 to 1, spreads the repeats of many clients
   * @param sendTimeout how long a send is repeated
   * @param callTimeout how long other calls are
   * @param linger how long a send waits for a batch to fill
   * @param bufferMessages that have no answer
   * @param bufferBytes of these
   */
  public record Settings(
      String topic,
      String location,
      BackendFeatures features,
      MailboxClock clock,
      DoubleSupplier random,
      Duration sendTimeout,
      Duration callTimeout,
      Duration linger,
      int bufferMessages,
      long bufferBytes) {
    /** The settings of the mailbox's stream, as {@link StreamFeed.Settings} has them. */
    public <M> StreamFeed.Settings<M> stream(
        Logger log, MessageView<M> messages, boolean isByCredit) {
      return new StreamFeed.Settings<>(
          log, topic, messages, features.maxBodyBytes(), isByCredit, callTimeout, clock, random);
    }

    private Batcher.Bounds bounds(int batchBytes, Duration lingering) {
      return new Batcher.Bounds(
          MAX_REQUESTS, bufferMessages, bufferBytes, features.maxBatch(), batchBytes, lingering);
    }
  }

  /**
   * The time of a task.
   *
   * @param begun the moment from which it waits
   * @param deadline the moment from which it is not repeated
   */
  public record Span(long begun, long deadline) {}

  private final Settings settings;
  private final MailboxClock clock;
  private final Lifecycle lifecycle;
  private final ExecutorService threads;
  private final Batcher<S> sends;
  private final Batcher<K> acknowledgements;

  /** Null if receives poll. */
  private @Nullable StreamFeed<DriverDelivery> stream;

  /**
   * A driver that polls.
   *
   * @param wake makes threads that wait elsewhere look at the lifecycle
   */
  protected ServiceDriver(Settings settings, Runnable wake) {
    this.settings = settings;
    this.clock = settings.clock();
    this.lifecycle = new Lifecycle(settings.topic(), clock, wake);
    this.threads = MailboxThreads.of(settings.topic());
    BackendFeatures features = settings.features();
    this.sends = batcher(this::send, settings.bounds(features.maxBodyBytes(), settings.linger()));
    this.acknowledgements =
        batcher(
            batch -> settle(Settling.ACK, batch),
            settings.bounds(Integer.MAX_VALUE, Duration.ZERO));
  }

  private <T extends BatchTask<?>> Batcher<T> batcher(
      Consumer<List<T>> request, Batcher.Bounds bounds) {
    return new Batcher<>(lifecycle, request, threads, bounds);
  }

  /** Receives by a stream from now on. Called by the constructor. */
  protected final void receiveBy(StreamFeed<DriverDelivery> given) {
    stream = given;
  }

  /** Whether the mailbox is open, and its calls in progress. */
  protected final Lifecycle lifecycle() {
    return lifecycle;
  }

  /** The threads of this mailbox. */
  protected final ExecutorService threads() {
    return threads;
  }

  /** The prefix of the keys that the library chooses. */
  protected abstract String keyPrefix();

  /** The task of sending a message. */
  protected abstract S sending(EncodedMessage message, String key, Span span);

  /** The task of an acknowledgement. */
  protected abstract K acknowledging(DriverDelivery delivery, Span span);

  /** The task of a nack. */
  protected abstract K nacking(
      DriverDelivery delivery, Duration visibility, String reason, Span span);

  /** The task of an extension. */
  protected abstract K extending(DriverDelivery delivery, Duration timeout, Span span);

  /** Sends, as often as it takes. Every task then has its result. */
  protected abstract void send(List<S> tasks);

  /** Settles, as often as it takes. Every task then has its result. */
  protected abstract void settle(Settling kind, List<K> tasks);

  /**
   * Extends leases, whatever other calls hang: this call does not wait for room, and ends with the
   * mailbox.
   */
  protected abstract void heartbeat(List<K> tasks);

  /** Receives by a request. */
  protected abstract List<DriverDelivery> poll(
      int maxMessages, @Nullable Duration visibility, Duration wait) throws InterruptedException;

  /**
   * Reports that a call has had no answer for this long, so its connection may be dead without a
   * sign.
   */
  protected abstract void suspect(Duration unanswered);

  /** Releases what is not the driver's own to close earlier. */
  protected abstract void release();

  @Override
  public final String location() {
    return settings.location();
  }

  @Override
  public final BackendFeatures features() {
    return settings.features();
  }

  @Override
  public final Sent send(EncodedMessage message) {
    return lifecycle.underWay(
        () -> {
          S task = task(message);
          send(List.of(task));
          return task.await();
        });
  }

  @Override
  public final List<SendResult> sendAll(List<EncodedMessage> messages) {
    return lifecycle.underWay(
        () -> {
          List<S> tasks = messages.stream().map(this::task).toList();
          sends.runAll(tasks);
          return tasks.stream().map(task -> BatchTask.sendResult(task)).toList();
        });
  }

  @Override
  public final CompletionStage<Sent> sendAsync(EncodedMessage message) {
    S task = task(message);
    sends.add(task);
    return task.stage();
  }

  private S task(EncodedMessage message) {
    String key = message.key();
    return sending(
        message, key != null ? key : keyPrefix() + randomKey(), span(settings.sendTimeout()));
  }

  private static String randomKey() {
    byte[] random = new byte[KEY_BYTES];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  @Override
  public final List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    return stream != null
        ? stream.receive(maxMessages, visibility, wait)
        : poll(maxMessages, visibility, wait);
  }

  @Override
  public final void acknowledge(DriverDelivery delivery) {
    K task = acknowledging(delivery, shortSpan());
    settling(
        delivery,
        () -> {
          acknowledgements.add(task);
          boolean unused = task.await();
        });
  }

  @Override
  public final void nack(DriverDelivery delivery, Duration visibility, String reason) {
    K task = nacking(delivery, visibility, reason, shortSpan());
    settling(delivery, () -> settled(Settling.NACK, task));
  }

  /** The stream has room once a message is settled, or its lease is lost. */
  private void settling(DriverDelivery delivery, Runnable settlement) {
    try {
      settlement.run();
      ended(delivery);
    } catch (ReceiptHandleExpiredException e) {
      ended(delivery);
      throw e;
    }
  }

  private void ended(DriverDelivery delivery) {
    if (stream != null) {
      stream.settled(delivery.receiptHandle());
    }
  }

  @Override
  public final void extend(DriverDelivery delivery, Duration timeout) {
    settled(Settling.EXTEND, extending(delivery, timeout, shortSpan()));
  }

  private void settled(Settling kind, K task) {
    boolean unused =
        lifecycle.underWay(
            () -> {
              settle(kind, List.of(task));
              return requireNonNull(task.await());
            });
  }

  @Override
  public final int maxExtensions() {
    return settings.features().maxBatch();
  }

  /**
   * An attempt on other connections does not end the one before it, whose answer may still come.
   */
  @Override
  public final List<Optional<RuntimeException>> extendAll(
      List<DriverDelivery> deliveries, Extension extension) {
    if (!extension.unanswered().isZero()) {
      suspect(extension.unanswered());
    }
    Span span = span(extension.within());
    return lifecycle.underWay(
        () -> {
          List<K> tasks =
              deliveries.stream()
                  .map(delivery -> extending(delivery, extension.timeout(), span))
                  .toList();
          heartbeat(tasks);
          return tasks.stream().map(task -> BatchTask.failure(task)).toList();
        });
  }

  /** The time of a task that is repeated for no longer than one call may take. */
  protected final Span shortSpan() {
    return span(settings.callTimeout());
  }

  private Span span(Duration within) {
    return new Span(clock.nanoTime(), clock.deadline(within));
  }

  @Override
  public final void close() {
    if (stream != null) {
      stream.close();
    }
    if (lifecycle.beginClosing()) {
      sends.flush();
      lifecycle.finish(FLUSH);
      sends.abandon();
      acknowledgements.abandon();
      threads.shutdown();
      release();
    }
  }
}
