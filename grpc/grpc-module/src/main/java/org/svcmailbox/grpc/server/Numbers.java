package org.svcmailbox.grpc.server;

import java.time.Duration;

/**
 * The door's bounds and times.
 *
 * @param connections in use at once
 * @param callsOfConnection open at once of one connection; its client waits
 * @param calls open at once
 * @param window bytes that may arrive of a call, and of a connection, before they are read
 * @param unreadBytes of messages that arrived and are not being handled
 * @param answerBytes of RECV answers that clients have not taken
 * @param metadata bytes of a call's metadata
 * @param threads that serve calls
 * @param ping how long a connection may be silent before it is asked for a sign of life
 * @param pingTimeout how long that may take
 * @param leastPing how often clients may ask
 * @param age of a connection, after which it takes no more calls
 * @param grace for its open calls
 */
public record Numbers(
    int connections,
    int callsOfConnection,
    int calls,
    int window,
    long unreadBytes,
    long answerBytes,
    int metadata,
    int threads,
    Duration ping,
    Duration pingTimeout,
    Duration leastPing,
    Duration age,
    Duration grace) {
  /** Bytes of a message besides its payload: those of 32 attributes and all other fields. */
  static final int ALLOWANCE = 256 << 10;

  /** The grace is longer than any stream. */
  public static final Numbers STANDARD =
      new Numbers(
          1_024,
          128,
          1_024,
          128 << 10,
          64L << 20,
          64L << 20,
          16 << 10,
          16,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofMinutes(60),
          Duration.ofMinutes(35));
}
