package org.svcmailbox.core.settings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;

/** The rendezvous service; all other settings matter only when it is {@code enabled}. */
public record RendezvousSettings(
    boolean enabled,
    Listener listener,
    Auth auth,
    Mailboxes mailboxes,
    Waiting waiting,
    Rates rates,
    Access access,
    Http http,
    Duration evictionInterval,
    Duration shutdownTimeout) {

  /**
   * The listener. {@code pem} is empty for the server's own certificate; {@code tlsVersion} is
   * {@code 1.2} or {@code 1.3}.
   */
  public record Listener(
      InetSocketAddress address, int maxConnections, Optional<Pem> pem, String tlsVersion) {}

  /** A certificate chain and its PKCS#8 key. */
  public record Pem(Path certificate, Path key) {}

  /** The tokens that a request needs. */
  public enum AuthMode {
    DISABLED,
    /** A token for every mailbox, or for this one. */
    SERVER_WIDE,
    /** A token for this mailbox. */
    PER_MAILBOX
  }

  public record Auth(AuthMode mode, List<StaticToken> tokens) {
    public Auth {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * A configured token.
   *
   * @param recipient 64 lower-case hex digits; empty for all mailboxes
   */
  public record StaticToken(Optional<String> recipient, String token) {
    @Override
    public String toString() {
      return "StaticToken[secret]";
    }
  }

  /**
   * Limits of mailboxes. {@code idleTtl} is at least {@code messageTtl}; {@code maxBytes} at most a
   * quarter of the heap.
   */
  public record Mailboxes(
      int maxMessageSize,
      int maxQueueLength,
      Duration messageTtl,
      Duration idleTtl,
      int max,
      long maxBytes) {}

  /** Limits of GETs that wait at once. */
  public record Waiting(int max, int perMailbox, int perAddress) {}

  /** Default rates of one client; 0 is unlimited. {@code ipv6Prefix} bits name one client. */
  public record Rates(int postsPerMinute, int getsPerMinute, int windowSeconds, int ipv6Prefix) {}

  /** Default lists; blocking wins. Allowed clients have no rates, waiter limits or shares. */
  public record Access(List<IpRange> allow, List<IpRange> block) {
    public static final int MAX_RANGES = 1_000;

    public Access {
      allow = List.copyOf(allow);
      block = List.copyOf(block);
    }
  }

  /**
   * HTTP details. {@code origins} may be {@code *}; {@code forwardedHeader} is {@code
   * X-Forwarded-For} or {@code Forwarded}.
   */
  public record Http(List<String> origins, String forwardedHeader, List<IpRange> metricsFrom) {
    public Http {
      origins = List.copyOf(origins);
      metricsFrom = List.copyOf(metricsFrom);
    }
  }
}
