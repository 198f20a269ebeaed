package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.capability.IpRange;

/**
 * The settings of the servlets.
 *
 * @param forwardedHeader {@code X-Forwarded-For} or {@code Forwarded}
 * @param shutdownTimeout the limit for the responses and drains that remain at shutdown
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

  /** The longest wait of a request; below the timeouts of common proxies. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(55);
}
