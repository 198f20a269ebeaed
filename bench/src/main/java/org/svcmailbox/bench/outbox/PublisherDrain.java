package org.svcmailbox.bench.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.bench.outbox.PublishRates.Mark;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;

/**
 * Publishers of the library, each on a thread. Times end when the rows are marked and committed.
 */
final class PublisherDrain implements OutboxDrain {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final OutboxDatabase database;
  private final EventPublisher topic;
  private final int publishers;

  /**
   * @param publishers number of publishers
   */
  PublisherDrain(OutboxDatabase database, EventPublisher topic, int publishers) {
    this.database = database;
    this.topic = topic;
    this.publishers = publishers;
  }

  @Override
  public void fill(int events) throws Exception {
    database.fill(events);
  }

  @Override
  public double drain(int events) throws Exception {
    return drain(events, List.of()).get(0);
  }

  /**
   * Publishes all events and returns the rate up to each mark and up to the end.
   *
   * @param marks in ascending order; a rate starts at the previous mark
   */
  List<Double> drain(int events, List<Mark> marks) throws Exception {
    List<Mark> withLast = new ArrayList<>(marks);
    withLast.add(new Mark(events, () -> {}));
    PublishRates rates = new PublishRates(withLast, System::nanoTime);
    List<OutboxPublisher> all = Stream.generate(() -> publisher(rates)).limit(publishers).toList();
    rates.begin();
    all.forEach(publisher -> new Thread(publisher, "publisher").start());
    try {
      rates.await(PATIENCE);
    } finally {
      all.forEach(OutboxPublisher::close);
    }
    database.requirePublished();
    return rates.perSecond();
  }

  private OutboxPublisher publisher(PublishRates rates) {
    return OutboxPublisher.builder(
            new JdbcOutboxStore(database.source()),
            PublisherSettings.of(OutboxOrders.CONTEXT),
            subject -> List.of("orders"),
            name -> topic)
        .listener(rates)
        .build();
  }
}
