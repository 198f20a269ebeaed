package org.svcmailbox.undertow.intake;

import jakarta.servlet.ServletContext;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The limits that the application sets for its clients. It publishes them in attributes of its
 * context, with plain types, because its classes are not known here.
 *
 * @param maxConns the most connections that are served at the same time
 * @param perAddress the most of one address
 * @param isExempt whether an address may have any number, such as a proxy's
 * @param maxBody the most bytes of a body that the application reads
 * @param fairShare a single owner's share of the memory for bodies, in percent
 * @param readTimeout how long a body may be silent, and the time that every body has in addition to
 *     its size
 * @param writeTimeout the same for an answer that the client does not take
 * @param idleTimeout how long a connection stays open between two requests
 */
record Bounds(
    int maxConns,
    int perAddress,
    Predicate<InetAddress> isExempt,
    int maxBody,
    int fairShare,
    Duration readTimeout,
    Duration writeTimeout,
    Duration idleTimeout) {
  static final String MAX_CONNS = "org.svcmailbox.max_conns";
  static final String PER_ADDRESS = "org.svcmailbox.max_conns_per_address";
  static final String EXEMPT = "org.svcmailbox.exempt_addresses";
  static final String MAX_BODY = "org.svcmailbox.max_body";
  static final String FAIR_SHARE = "org.svcmailbox.fair_share";
  static final String READ_TIMEOUT = "org.svcmailbox.read_timeout";
  static final String WRITE_TIMEOUT = "org.svcmailbox.write_timeout";

  static final String IDLE_TIMEOUT = "org.svcmailbox.idle_timeout";

  /** The minimum rate of a client that sends or reads, once its timeout is used up. */
  private static final long BYTES_PER_SECOND = 64 * 1024;

  static Bounds of(ServletContext context) {
    return new Bounds(
        read(context, MAX_CONNS, 4096),
        read(context, PER_ADDRESS, 1024),
        exempt(context),
        read(context, MAX_BODY, 1_660_584),
        read(context, FAIR_SHARE, 75),
        read(context, READ_TIMEOUT, Duration.ofSeconds(5)),
        read(context, WRITE_TIMEOUT, Duration.ofSeconds(5)),
        read(context, IDLE_TIMEOUT, Duration.ofSeconds(60)));
  }

  @SuppressWarnings("unchecked")
  private static Predicate<InetAddress> exempt(ServletContext context) {
    return context.getAttribute(EXEMPT) instanceof Predicate<?> exempt
        ? (Predicate<InetAddress>) exempt
        : address -> false;
  }

  private static <T> T read(ServletContext context, String name, T otherwise) {
    Object value = context.getAttribute(name);
    if (value == null) {
      return otherwise;
    }
    @SuppressWarnings("unchecked")
    T typed = (T) otherwise.getClass().cast(value);
    return typed;
  }

  /** The most bytes of a body with this declared length; negative means undeclared. */
  long expected(long declared) {
    return declared < 0 ? maxBody : Math.min(declared, maxBody);
  }

  /** How long this many bytes may take in addition to a timeout, in nanoseconds. */
  static long nanosFor(long bytes) {
    return Math.multiplyExact(bytes, 1_000_000_000L / BYTES_PER_SECOND);
  }
}
