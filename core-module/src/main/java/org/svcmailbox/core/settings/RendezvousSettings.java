package org.svcmailbox.core.settings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.capability.IpRange;

/**
 * The rendezvous door.
 *
 * @param enabled whether it is open; nothing else matters otherwise
 * @param listener where clients connect
 * @param auth which tokens it asks for
 * @param mailboxes bounds of what it keeps
 * @param waiting bounds of GETs that wait
 * @param rates how often one client may call
 * @param access which clients are treated apart
 * @param http what its responses depend on besides
 * @param evictionInterval how often expired messages and idle mailboxes are removed
 * @param shutdownTimeout how long responses and drains may take once it closes
 */
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
   * Where clients connect.
   *
   * @param address a literal address and a port
   * @param maxConnections connections at once
   * @param pem its own certificate; empty for the server's, if that has one
   * @param tlsVersion the oldest version of TLS, {@code 1.2} or {@code 1.3}
   */
  public record Listener(
      InetSocketAddress address, int maxConnections, Optional<Pem> pem, String tlsVersion) {}

  /**
   * A certificate in PEM files.
   *
   * @param certificate the chain
   * @param key its private key, PKCS#8
   */
  public record Pem(Path certificate, Path key) {}

  /** Which tokens a request needs. */
  public enum AuthMode {
    /** None. */
    DISABLED,
    /** One that is good for every mailbox, or for this one. */
    SERVER_WIDE,
    /** One of this mailbox. */
    PER_MAILBOX
  }

  /**
   * Authentication.
   *
   * @param tokens those that the configuration gives, with both rights
   */
  public record Auth(AuthMode mode, List<StaticToken> tokens) {
    public Auth {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * A token from the configuration.
   *
   * @param recipient the only mailbox it is good for, 64 lower-case hex digits; empty for all
   * @param token the secret
   */
  public record StaticToken(Optional<String> recipient, String token) {
    @Override
    public String toString() {
      return "StaticToken[secret]";
    }
  }

  /**
   * Bounds of what is kept.
   *
   * @param maxMessageSize bytes of one message
   * @param maxQueueLength messages of one mailbox
   * @param messageTtl how long a message stays
   * @param idleTtl how long an unused mailbox stays, at least {@code messageTtl}
   * @param max mailboxes
   * @param maxBytes memory of all messages, at most a quarter of the heap
   */
  public record Mailboxes(
      int maxMessageSize,
      int maxQueueLength,
      Duration messageTtl,
      Duration idleTtl,
      int max,
      long maxBytes) {}

  /**
   * Bounds of GETs that wait at once.
   *
   * @param max altogether
   * @param perMailbox on one mailbox
   * @param perAddress from one client
   */
  public record Waiting(int max, int perMailbox, int perAddress) {}

  /**
   * How often one client may call, unless an operator has set other rates.
   *
   * @param postsPerMinute 0 for any number
   * @param getsPerMinute 0 for any number
   * @param windowSeconds a bucket holds the rate of this many seconds
   * @param ipv6Prefix bits of an IPv6 address that name one client
   */
  public record Rates(int postsPerMinute, int getsPerMinute, int windowSeconds, int ipv6Prefix) {}

  /**
   * Clients that are treated apart, unless an operator has set other lists. Blocking wins.
   *
   * @param allow no rates, waiter limits or shares
   * @param block refused
   */
  public record Access(List<IpRange> allow, List<IpRange> block) {
    /** The most ranges of one list. */
    public static final int MAX_RANGES = 1_000;

    public Access {
      allow = List.copyOf(allow);
      block = List.copyOf(block);
    }
  }

  /**
   * The rest that responses depend on.
   *
   * @param origins origins whose pages may call; {@code *} for any
   * @param forwardedHeader {@code X-Forwarded-For} or {@code Forwarded}
   * @param metricsFrom clients that may read the metrics
   */
  public record Http(List<String> origins, String forwardedHeader, List<IpRange> metricsFrom) {
    public Http {
      origins = List.copyOf(origins);
      metricsFrom = List.copyOf(metricsFrom);
    }
  }
}
