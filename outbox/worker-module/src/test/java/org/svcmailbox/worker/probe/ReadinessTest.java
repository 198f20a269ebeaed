package org.svcmailbox.worker.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.worker.config.SettingsFiles;
import org.svcmailbox.worker.config.SettingsReader;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Connections;

class ReadinessTest {
  private static final String HANDLER = "handler sea__from_vibespro";

  @TempDir private Path directory;

  private final VirtualClock clock = new VirtualClock();
  private final AtomicInteger asked = new AtomicInteger();
  private final Set<String> paused = new HashSet<>();
  private volatile int status = 200;
  private volatile String path = "";
  private final LoopbackHttp service =
      new LoopbackHttp(
          exchange -> {
            asked.incrementAndGet();
            path = exchange.getRequestURI().getPath();
            LoopbackHttp.answer(exchange, status, "application/json", "{}");
          });
  private final LoopbackHttp handler =
      new LoopbackHttp(exchange -> LoopbackHttp.answer(exchange, 500, "text/plain", ""));

  @AfterEach
  void close() {
    service.close();
    handler.close();
  }

  private WorkerSettings settings(String suffix) {
    SettingsFiles files =
        new SettingsFiles(directory)
            .worker(
                """
                context = "sea"
                [service]
                url = "%s%s"
                [inbox]
                consumers = ["sea__from_vibespro"]
                """
                    .formatted(service.uri(), suffix))
            .streams(
                SettingsFiles.STREAMS.replace("http://127.0.0.1:8000", handler.uri().toString()));
    return SettingsReader.read(files.worker(), Map.of());
  }

  private interface Work {
    void with(Readiness readiness, HikariDataSource source) throws Exception;
  }

  private void with(Work work) throws Exception {
    WorkerSettings settings = settings("");
    try (HikariDataSource source = Connections.forCommand(settings.database())) {
      work.with(new Readiness(settings, source, paused::contains, clock::nanoTime), source);
    }
  }

  @Test
  void everyPartIsNamed() throws Exception {
    with(
        (readiness, source) -> {
          Map<String, String> parts = readiness.parts();
          assertEquals(List.of("database", "service", HANDLER), List.copyOf(parts.keySet()));
          assertTrue(Readiness.isReady(parts), parts::toString);
          assertEquals("/readyz", path);
        });
  }

  @Test
  void anAnswerServesForASecond() throws Exception {
    with(
        (readiness, source) -> {
          assertTrue(Readiness.isReady(readiness.parts()));
          status = 503;
          clock.advance(Duration.ofSeconds(1).minusNanos(1));
          assertTrue(Readiness.isReady(readiness.parts()));
          assertEquals(1, asked.get());
          clock.advance(Duration.ofNanos(1));
          assertFalse(Readiness.isReady(readiness.parts()));
          assertEquals(2, asked.get());
        });
  }

  @Test
  void aDatabaseThatIsAwayIsTold() throws Exception {
    with(
        (readiness, source) -> {
          source.close();
          Map<String, String> parts = readiness.parts();
          assertTrue(parts.getOrDefault("database", "").contains("closed"), parts::toString);
          assertEquals("ok", parts.get("service"));
          assertFalse(Readiness.isReady(parts));
        });
  }

  @Test
  void aServiceThatIsNotReadyIsTold() throws Exception {
    status = 503;
    with((readiness, source) -> assertEquals("it answers 503", readiness.parts().get("service")));
  }

  @Test
  void aServiceThatIsAwayIsTold() throws Exception {
    service.close();
    with(
        (readiness, source) -> {
          Map<String, String> parts = readiness.parts();
          assertFalse(Readiness.isReady(parts));
          assertEquals("ok", parts.get("database"));
          assertEquals("no connection (ConnectException)", parts.get("service"));
        });
  }

  /** Its own health is its own business: it answers 500 here. */
  @Test
  void aHandlerThatIsAwayIsTold() throws Exception {
    handler.close();
    with(
        (readiness, source) -> {
          Map<String, String> parts = readiness.parts();
          assertTrue(parts.getOrDefault(HANDLER, "").contains("refused"), parts::toString);
          assertEquals("ok", parts.get("service"));
          assertFalse(Readiness.isReady(parts));
        });
  }

  @Test
  void anAddressMayEndInASlash() throws Exception {
    WorkerSettings settings = settings("/");
    try (HikariDataSource source = Connections.forCommand(settings.database())) {
      assertEquals("ok", new Readiness(settings, source, paused::contains).parts().get("service"));
      assertEquals("/readyz", path);
    }
  }

  @Test
  void aConsumerThatIsPausedIsTold() throws Exception {
    paused.add("sea__from_vibespro");
    with(
        (readiness, source) -> {
          Map<String, String> parts = readiness.parts();
          assertEquals("it fails at all messages, and one at a time is tried", parts.get(HANDLER));
          assertFalse(Readiness.isReady(parts));
        });
  }
}
