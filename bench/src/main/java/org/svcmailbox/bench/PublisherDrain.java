package org.svcmailbox.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublishListener;
import org.svcmailbox.outbox.publish.PublisherSettings;

/** The library's publishers, each on a thread. Times count until rows are marked and committed. */
final class PublisherDrain implements OutboxDrain {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final OutboxDatabase database;
  private final EventPublisher topic;
  private final int publishers;

  /**
   * @param publishers how many share the work
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
   * Publishes what is there.
   *
   * @param marks numbers of published events, ascending, up to which to take the rate, beside the
   *     last; a rate counts from the mark before
   */
  List<Double> drain(int events, List<Mark> marks) throws Exception {
    List<Mark> withLast = new ArrayList<>(marks);
    withLast.add(new Mark(events, () -> {}));
    Watcher watcher = new Watcher(withLast);
    List<OutboxPublisher> all =
        Stream.generate(() -> publisher(watcher)).limit(publishers).toList();
    watcher.begin();
    all.forEach(publisher -> new Thread(publisher, "publisher").start());
    try {
      watcher.await();
    } finally {
      all.forEach(OutboxPublisher::close);
    }
    database.requirePublished();
    return watcher.perSecond();
  }

  private OutboxPublisher publisher(Watcher watcher) {
    return OutboxPublisher.builder(
            new JdbcOutboxStore(database.source()),
            PublisherSettings.of(OutboxOrders.CONTEXT),
            subject -> List.of("orders"),
            name -> topic)
        .listener(watcher)
        .build();
  }

  /**
   * A number of published events.
   *
   * @param then what is done there, in no time that counts
   */
  record Mark(int events, Runnable then) {}

  private static final class Watcher implements PublishListener {
    private final List<Mark> marks;
    private final List<Double> perSecond = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private int published;
    private long since;

    Watcher(List<Mark> marks) {
      this.marks = marks;
    }

    synchronized void begin() {
      since = System.nanoTime();
    }

    @Override
    public synchronized void published(OutboxEventPublished event) {
      Mark next = marks.get(perSecond.size());
      if (++published == next.events()) {
        int before = perSecond.isEmpty() ? 0 : marks.get(perSecond.size() - 1).events();
        perSecond.add((next.events() - before) / ((System.nanoTime() - since) / 1e9));
        next.then().run();
        since = System.nanoTime();
        if (perSecond.size() == marks.size()) {
          done.countDown();
        }
      }
    }

    @Override
    public void parked(OutboxEvent event, ErrorCode code) {
      System.err.println("parked: " + code + ", " + event);
    }

    @Override
    public void failed(RuntimeException why) {
      System.err.println("the publisher failed: " + why);
    }

    void await() throws InterruptedException {
      if (!done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("not published in " + PATIENCE);
      }
    }

    synchronized List<Double> perSecond() {
      return perSecond;
    }
  }
}
