package org.svcmailbox.ejb.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Readings;

class RegistryFeedTest {
  private final List<Metric> metrics = new ArrayList<>();
  private final List<Distribution> distributions = new ArrayList<>();
  private final AtomicInteger read = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong value = new AtomicLong(3);
  private final FakeRegistry server = new FakeRegistry();
  private final RegistryFeed feed = new RegistryFeed(this::readings, server.registry(), nanos::get);

  private Readings readings() {
    read.incrementAndGet();
    return Readings.of(
        List.of(
            new MetricSource() {
              @Override
              public List<Metric> metrics() {
                return List.copyOf(metrics);
              }

              @Override
              public List<Distribution> distributions() {
                return List.copyOf(distributions);
              }
            }));
  }

  private void scrapeLater() {
    nanos.addAndGet(RegistryFeed.FRESH.toNanos());
  }

  @Test
  void aGaugeIsReadWhenItIsScraped() {
    metrics.add(Family.INFLIGHT.of(value::get, "orders", "0"));
    feed.turn();
    value.set(7);
    scrapeLater();
    assertEquals(Map.of("inflight{shard=0, topic=orders}", 7.0), server.page());
  }

  @Test
  void aCounterGrowsByWhatWasCountedSinceTheLastTurn() {
    metrics.add(Family.REQUEUE_BACKOFF_TOTAL.of(value::get));
    feed.turn();
    assertEquals(Map.of("requeue_backoff_total", 3.0), server.page());
    value.set(10);
    feed.turn();
    feed.turn();
    assertEquals(Map.of("requeue_backoff_total", 10.0), server.page());
  }

  @Test
  void aCounterOfSecondsShowsWholeOnes() {
    metrics.add(Family.STREAM_BLOCKED_SECONDS_TOTAL.ofDouble(() -> 2.9, "http", "window"));
    feed.turn();
    assertEquals(List.of(2.0), List.copyOf(server.page().values()));
  }

  @Test
  void aHistogramIsAGaugeForEachBucketItsSumAndItsCount() {
    Histogram histogram = new Histogram(Family.ACK_LATENCY_SECONDS);
    distributions.add(histogram);
    feed.turn();
    histogram.record(400_000);
    histogram.record(2_000_000_000);
    scrapeLater();
    Map<String, Double> page = server.page();
    assertEquals(Histogram.BOUNDS.size() + 3, page.size());
    assertEquals(1.0, page.get("ack_latency_seconds_bucket{le=0.0005}"));
    assertEquals(2.0, page.get("ack_latency_seconds_bucket{le=+Inf}"));
    assertEquals(2.0, page.get("ack_latency_seconds_count"));
    assertEquals(2.0004, page.get("ack_latency_seconds_sum"));
  }

  @Test
  void metricsOfADeletedTopicAreRemoved() {
    metrics.add(Family.TOPIC_PAUSED.of(value::get, "orders"));
    metrics.add(Family.TOPIC_PAUSED.of(value::get, "bills"));
    feed.turn();
    metrics.remove(0);
    feed.turn();
    assertEquals(Map.of("topic_paused{topic=bills}", 3.0), server.page());
    feed.close();
    assertEquals(Map.of(), server.page());
  }

  @Test
  void theGaugesOfOneScrapeShareOneReading() {
    for (int i = 0; i < 10; i++) {
      metrics.add(Family.TOPIC_PAUSED.of(value::get, "topic" + i));
    }
    feed.turn();
    scrapeLater();
    int before = read.get();
    assertEquals(10, server.page().size());
    assertEquals(1, read.get() - before);
  }
}
