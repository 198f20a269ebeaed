package org.svcmailbox.core.settings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.IpRange;

/** The rendezvous service. All other settings matter only if it is {@code enabled}. */
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
   * The listener.
   *
   * @param pem empty for the server's own certificate
   * @param tlsVersion {@code 1.2} or {@code 1.3}
   */
  public record Listener(
      InetSocketAddress address, int maxConnections, Optional<Pem> pem, String tlsVersion) {}

  /** A certificate chain and its PKCS#8 key. */
  public record Pem(Path certificate, Path key) {}

  /** The tokens that a request needs. */
  public enum AuthMode {
    DISABLED,
    /** A token for every mailbox, or one for this mailbox. */
    SERVER_WIDE,
    /** A token for this mailbox only. */
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
   * Limits of mailboxes.
   *
   * @param idleTtl at least {@code messageTtl}
   * @param maxBytes at most a quarter of the heap
   */
  public record Mailboxes(
      int maxMessageSize,
      int maxQueueLength,
      Duration messageTtl,
      Duration idleTtl,
      int max,
      long maxBytes) {}

  /** Limits on concurrently waiting GETs. */
  public record Waiting(int max, int perMailbox, int perAddress) {}

  /**
   * Default rates of one client; 0 means unlimited.
   *
   * @param ipv6Prefix the number of leading bits that identify one client
   */
  public record Rates(int postsPerMinute, int getsPerMinute, int windowSeconds, int ipv6Prefix) {}

  /**
   * Default lists; blocking takes precedence. Allowed clients have no rates, waiter limits or
   * shares.
   */
  public record Access(List<IpRange> allow, List<IpRange> block) {
    public static final int MAX_RANGES = 1_000;

    public Access {
      allow = List.copyOf(allow);
      block = List.copyOf(block);
    }
  }

  /**
   * HTTP details.
   *
   * @param origins may be {@code *}
   * @param forwardedHeader {@code X-Forwarded-For} or {@code Forwarded}
   */
  public record Http(List<String> origins, String forwardedHeader, List<IpRange> metricsFrom) {
    public Http {
      origins = List.copyOf(origins);
      metricsFrom = List.copyOf(metricsFrom);
    }
  }
}
