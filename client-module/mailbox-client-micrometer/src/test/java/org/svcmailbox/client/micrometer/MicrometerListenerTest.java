package org.svcmailbox.client.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.DLQConfig;
import org.svcmailbox.client.loop.LoopListener.Ending;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.test.concurrent.Deadline;

@Timeout(60)
class MicrometerListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerListener listener = new MicrometerListener(registry);

  @Test
  void aLoopIsMeasured() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (InMemoryMailbox<String, Object> orders =
            InMemoryMailbox.<String, Object>builder("orders", Codecs.utf8(), Codecs.reference())
                .build();
        MainLoop<String, Object> loop =
            MainLoop.handling(
                    orders,
                    message -> {
                      if (message.body().equals("rotten")) {
                        throw new IllegalStateException("rotten");
                      }
                      began.countDown();
                      release.await();
                      return null;
                    })
                .deadLetters(DLQConfig.logAndAcknowledge(5))
                .listener(listener)
                .start()) {
      orders.send("rotten");
      orders.send("apple");
      began.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEquals(1, held());
      assertEquals(1, handled(Ending.RETRIED));

      release.countDown();
      Deadline.in(PATIENCE).await(() -> held() == 0, () -> registry.getMetersAsString());

      assertTrue(loop.isRunning());
      assertEquals(1, handled(Ending.ACKNOWLEDGED));
      assertEquals(2, registry.get("svcmailbox.loop.received").counter().count());
    }
  }

  private double held() {
    return registry.get("svcmailbox.loop.held").tag("mailbox", "orders").gauge().value();
  }

  private long handled(Ending ending) {
    return registry
        .get("svcmailbox.loop.handling")
        .tags("mailbox", "orders", "ending", ending.name().toLowerCase(Locale.ROOT))
        .timer()
        .count();
  }

  @Test
  void timesAndFailuresAreRecorded() {
    listener.received("orders", 2);
    listener.ended("orders", Ending.ACKNOWLEDGED, Duration.ofSeconds(3));
    listener.receiveFailed("orders", new IllegalStateException("away"));
    listener.failed("invoices", new LinkageError("broken"));

    assertEquals(1, held());
    assertEquals(
        3.0, registry.get("svcmailbox.loop.handling").timer().totalTime(TimeUnit.SECONDS), 0.001);
    assertEquals(1, registry.get("svcmailbox.loop.receive.failures").counter().count());
    assertEquals(
        1, registry.get("svcmailbox.loop.failures").tag("mailbox", "invoices").counter().count());
  }
}
