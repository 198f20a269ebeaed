package org.svcmailbox.grpc.server;

import java.time.Duration;

/**
 * Limits and times of the gRPC server.
 *
 * @param connections the most in use at once
 * @param callsOfConnection the most open calls of one connection; its client then waits
 * @param calls the most open calls
 * @param window bytes of a call, and of a connection, that may arrive before they are read
 * @param unreadBytes the most bytes of messages that have arrived and are not being handled
 * @param answerBytes the most bytes of RECV answers that clients have not yet taken
 * @param metadata the most bytes of a call's metadata
 * @param threads the most threads that serve calls
 * @param ping how long a connection may be silent before it is pinged
 * @param pingTimeout how long the reply may take
 * @param leastPing the shortest interval at which clients may ping
 * @param age of a connection after which it takes no more calls
 * @param grace how long its open calls may then last
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
  /** Bytes for everything in a message except its payload: 32 attributes and all other fields. */
  static final int ALLOWANCE = 256 << 10;

  /** The grace exceeds the duration of any stream. */
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
