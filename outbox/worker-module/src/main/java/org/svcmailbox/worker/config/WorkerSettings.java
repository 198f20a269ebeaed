package org.svcmailbox.worker.config;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.publish.PublisherSettings;

/**
 * The settings of one worker.
 *
 * @param context the bounded context whose outbox and inbox it works on
 * @param database the database of outbox and inbox
 * @param service the mailbox service
 * @param publisher how it publishes; null if it does not publish
 * @param inbox how it handles messages
 * @param retention how long finished rows are kept
 * @param listen the address of health and metrics
 * @param stopTimeout how long a stop waits for handlers
 * @param streams the streams that all workers share
 */
public record WorkerSettings(
    String context,
    Database database,
    Service service,
    @Nullable PublisherSettings publisher,
    Inbox inbox,
    Retention retention,
    InetSocketAddress listen,
    Duration stopTimeout,
    Streams streams) {
  /**
   * A database.
   *
   * @param url the JDBC URL
   * @param pool the most connections in the pool
   */
  public record Database(String url, @Nullable String user, @Nullable Secret password, int pool) {}

  /**
   * A mailbox service.
   *
   * @param tokenFile the file with the capability; read again when it changes
   */
  public record Service(URI url, Path tokenFile, boolean allowPlainHttp) {}

  /**
   * Settings of a worker's inbox.
   *
   * @param consumers the consumers that it runs
   * @param threads the most concurrent handlers of all consumers
   */
  public record Inbox(List<ConsumerSettings> consumers, int threads) {}

  /**
   * How long rows are kept.
   *
   * @param outbox after an event is published
   * @param inbox after a message is processed or dead
   * @param audit after an operator's change
   */
  public record Retention(Duration outbox, Duration inbox, Duration audit) {}

  /** How a consumer of this worker handles its messages. */
  public InboxSettings inboxSettings(ConsumerSettings consumer) {
    return new InboxSettings(
        context,
        consumer.durable(),
        consumer.ackWait(),
        consumer.maxDeliver(),
        Math.min(consumer.maxAckPending(), MAX_IN_FLIGHT));
  }

  private static final int MAX_IN_FLIGHT = 100;
}
