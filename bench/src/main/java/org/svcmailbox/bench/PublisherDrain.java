package org.svcmailbox.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublishListener;
import org.svcmailbox.outbox.publish.PublisherSettings;

/** The library's publisher, on one thread. Times count until rows are marked and committed. */
final class PublisherDrain implements OutboxDrain {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final OutboxDatabase database;
  private final EventPublisher topic;

  PublisherDrain(OutboxDatabase database, EventPublisher topic) {
    this.database = database;
    this.topic = topic;
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
    List<Mark> all = new ArrayList<>(marks);
    all.add(new Mark(events, () -> {}));
    Watcher watcher = new Watcher(all);
    try (JdbcOutboxStore store = new JdbcOutboxStore(database.source());
        OutboxPublisher publisher =
            OutboxPublisher.builder(
                    store,
                    PublisherSettings.of(OutboxOrders.CONTEXT),
                    subject -> List.of("orders"),
                    name -> topic)
                .listener(watcher)
                .build()) {
      Thread thread = new Thread(publisher, "publisher");
      watcher.begin();
      thread.start();
      watcher.await();
    }
    database.requirePublished();
    return watcher.perSecond();
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
    private final AtomicInteger published = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private long since;

    Watcher(List<Mark> marks) {
      this.marks = marks;
    }

    void begin() {
      since = System.nanoTime();
    }

    @Override
    public void published(OutboxEventPublished event) {
      Mark next = marks.get(perSecond.size());
      if (published.incrementAndGet() == next.events()) {
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
        throw new IllegalStateException(published.get() + " events published in " + PATIENCE);
      }
    }

    List<Double> perSecond() {
      return perSecond;
    }
  }
}
