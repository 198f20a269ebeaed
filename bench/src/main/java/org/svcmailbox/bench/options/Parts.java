package org.svcmailbox.bench.options;

import java.util.List;

/** The names that {@code --pairs} and {@code --parts} select from. */
public final class Parts {
  // Parts of the scenario rendezvous.
  public static final String PAIRS = "pairs";
  public static final String WAITERS = "waiters";
  public static final String TLS = "tls";
  public static final String SEND = "send";

  // Parts of the scenario outbox.
  public static final String RECORD = "record";
  public static final String DRAIN = "drain";
  public static final String SERVICE = "service";
  public static final String MILLION = "million";
  public static final String MILLION_SERVICE = "million-service";
  public static final String JOURNEY = "journey";

  // Parts of the scenario streams, which has SEND too.
  public static final String RECEIVE = "receive";
  public static final String CALLBACK = "callback";
  public static final String IDLE = "idle";
  public static final String HEAP = "heap";
  public static final String STALLED = "stalled";

  static final List<String> STREAMS = List.of(RECEIVE, SEND, CALLBACK, IDLE, HEAP, STALLED);

  static final List<String> RENDEZVOUS = List.of(PAIRS, WAITERS, TLS, SEND);

  /** In the order in which they are measured. */
  public static final List<String> OUTBOX =
      List.of(RECORD, DRAIN, MILLION, SERVICE, JOURNEY, MILLION_SERVICE);

  /** Keys of the pairs of the scenario client. */
  static final List<String> CLIENT =
      List.of("memory", "redis-jedis", "redis-redisson", "http-batch", "http-worker", "sqs");

  private Parts() {}
}
