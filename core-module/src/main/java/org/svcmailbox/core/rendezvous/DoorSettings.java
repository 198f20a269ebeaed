package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.capability.IpRange;

/**
 * The settings that the servlets need.
 *
 * @param maxMessageSize bytes of a body, at most
 * @param maxConnections connections at once
 * @param origins origins whose pages may call; {@code *} for any
 * @param metricsFrom clients that may read {@code /metrics}
 * @param trustedProxies proxies whose forwarded header is believed
 * @param forwardedHeader {@code X-Forwarded-For} or {@code Forwarded}
 * @param shutdownTimeout how long responses and drains may take once the door closes
 */
public record DoorSettings(
    int maxMessageSize,
    int maxConnections,
    List<String> origins,
    List<IpRange> metricsFrom,
    List<IpRange> trustedProxies,
    String forwardedHeader,
    Duration shutdownTimeout) {
  public DoorSettings {
    origins = List.copyOf(origins);
    metricsFrom = List.copyOf(metricsFrom);
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** A request waits no longer, whatever it asks for: below the timeouts of common proxies. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(55);
}
