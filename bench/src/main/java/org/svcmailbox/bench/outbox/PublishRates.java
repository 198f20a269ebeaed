package org.svcmailbox.bench.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.publish.OutboxEventPublished;
import org.svcmailbox.outbox.publish.PublishListener;

/** Rates of published events between marks. Thread-safe. */
final class PublishRates implements PublishListener {
  private final List<Mark> marks;
  private final LongSupplier nanoTime;
  private final List<Double> perSecond = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private int published;
  private long since;

  /**
   * A number of published events at which a rate ends.
   *
   * @param then action there, whose time does not count
   */
  record Mark(int events, Runnable then) {}

  /**
   * @param marks in ascending order; the last is the end
   */
  PublishRates(List<Mark> marks, LongSupplier nanoTime) {
    this.marks = List.copyOf(marks);
    this.nanoTime = nanoTime;
  }

  synchronized void begin() {
    since = nanoTime.getAsLong();
  }

  @Override
  public synchronized void published(OutboxEventPublished event) {
    published++;
    if (done.getCount() > 0 && published == marks.get(perSecond.size()).events()) {
      reached(marks.get(perSecond.size()));
    }
  }

  private void reached(Mark mark) {
    int before = perSecond.isEmpty() ? 0 : marks.get(perSecond.size() - 1).events();
    double seconds = (nanoTime.getAsLong() - since) / 1e9;
    perSecond.add((mark.events() - before) / seconds);
    mark.then().run();
    since = nanoTime.getAsLong();
    if (perSecond.size() == marks.size()) {
      done.countDown();
    }
  }

  @Override
  public void parked(OutboxEvent event, ErrorCode code) {
    Progress.say("parked: " + code + ", " + event);
  }

  @Override
  public void failed(RuntimeException why) {
    Progress.say("the publisher failed: " + why);
  }

  /**
   * Waits for the last mark.
   *
   * @throws IllegalStateException if it is not reached in time
   */
  void await(Duration patience) throws InterruptedException {
    if (!done.await(patience.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("not published within " + patience);
    }
  }

  /** Events a second up to each reached mark from the previous one. */
  synchronized List<Double> perSecond() {
    return List.copyOf(perSecond);
  }
}
