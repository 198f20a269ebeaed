package org.svcmailbox.worker.probe;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;

/**
 * Tells whether a worker can work: whether it reaches its database, the service and the handlers.
 * An answer is reused for a second, so that frequent probes do no harm. Any thread.
 */
public final class Readiness {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String PAUSED = "it fails at all messages, and one at a time is tried";
  private static final long KEPT = Duration.ofSeconds(1).toNanos();

  private final WorkerSettings settings;
  private final DataSource source;
  private final Predicate<String> isPaused;
  private final LongSupplier nanoTime;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private Map<String, String> last = Map.of();
  private long lastAt;

  /**
   * Checks nothing yet.
   *
   * @param isPaused whether the consumer with this name tries one message at a time
   */
  public Readiness(WorkerSettings settings, DataSource source, Predicate<String> isPaused) {
    this(settings, source, isPaused, System::nanoTime);
  }

  Readiness(
      WorkerSettings settings,
      DataSource source,
      Predicate<String> isPaused,
      LongSupplier nanoTime) {
    this.isPaused = isPaused;
    this.nanoTime = nanoTime;
    this.settings = settings;
    this.source = source;
  }

  /** All parts, each with {@code "ok"} or its problem. */
  public synchronized Map<String, String> parts() {
    if (last.isEmpty() || nanoTime.getAsLong() - lastAt >= KEPT) {
      last = look();
      lastAt = nanoTime.getAsLong();
    }
    return last;
  }

  /** Whether all parts are ok. */
  public static boolean isReady(Map<String, String> parts) {
    return parts.values().stream().allMatch("ok"::equals);
  }

  private Map<String, String> look() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("database", database());
    parts.put("service", service());
    for (ConsumerSettings consumer : settings.inbox().consumers()) {
      URI handler = consumer.handler();
      if (handler != null) {
        String durable = consumer.durable();
        parts.put("handler " + durable, isPaused.test(durable) ? PAUSED : handler(handler));
      }
    }
    return parts;
  }

  private String database() {
    try (Connection connection = source.getConnection()) {
      return connection.isValid((int) TIMEOUT.toSeconds()) ? "ok" : "the connection is not valid";
    } catch (SQLException e) {
      return reason(e);
    }
  }

  private String service() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(settings.service().url() + "/readyz").normalize())
            .timeout(TIMEOUT)
            .build();
    try {
      int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return status == 200 ? "ok" : "it answers " + status;
    } catch (IOException e) {
      return reason(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private static String handler(URI handler) {
    int otherwise = handler.getScheme().equals("https") ? 443 : 80;
    int port = handler.getPort() == -1 ? otherwise : handler.getPort();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(handler.getHost(), port), (int) TIMEOUT.toMillis());
      return "ok";
    } catch (IOException e) {
      return reason(e);
    }
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null ? "no connection (" + e.getClass().getSimpleName() + ")" : message;
  }
}
