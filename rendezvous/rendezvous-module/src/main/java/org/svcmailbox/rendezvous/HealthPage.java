package org.svcmailbox.rendezvous;

import static jakarta.servlet.http.HttpServletResponse.SC_OK;
import static jakarta.servlet.http.HttpServletResponse.SC_SERVICE_UNAVAILABLE;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.svcmailbox.core.metrics.Build;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;

/** {@code /health}: 200 while the service has capacity, 503 otherwise. */
final class HealthPage {
  private final RendezvousService service;
  private final LongSupplier connections;
  private final Supplier<Duration> uptime;

  HealthPage(RendezvousService service, LongSupplier connections, Supplier<Duration> uptime) {
    this.service = service;
    this.connections = connections;
    this.uptime = uptime;
  }

  Reply reply() {
    service.connections((int) connections.getAsLong());
    Health health = service.health();
    String json =
        """
        {"status":"%s","uptime_seconds":%d,"version":"%s"}"""
            .formatted(
                health.name().toLowerCase(Locale.ROOT), uptime.get().toSeconds(), Build.VERSION);
    return Reply.of(
        health == Health.HEALTHY ? SC_OK : SC_SERVICE_UNAVAILABLE, "application/json", json);
  }
}
