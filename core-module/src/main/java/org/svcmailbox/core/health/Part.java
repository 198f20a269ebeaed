package org.svcmailbox.core.health;

import java.util.Locale;

/** A part of the service that is either up or down. */
public enum Part {
  /** Every thread of the service is there; it is down when one dies again and again. */
  THREADS(Affects.LIFE),
  /** No write to the broker's files has failed; after one the process ends. */
  JOURNAL(Affects.LIFE),
  /** The broker's sessions are open. */
  BROKER(Affects.READS),
  /** The broker's address settings are the ones this service relies on. */
  BROKER_SETTINGS(Affects.READS),
  /** Every shard worker has its broker session and serves. */
  WORKERS(Affects.READS),
  /** The service is not shutting down. */
  INTAKE(Affects.READS),
  /** Database and broker are from the same moment; it is told, and stops nothing. */
  STORES(Affects.WRITES),
  /** The database takes commits. */
  DATABASE(Affects.WRITES),
  /** The database follows the workers' logs in the broker; SENDs end when the logs are full. */
  PROJECTION(Affects.WRITES),
  /** The data disk can be written and has more room than the reserve. */
  DISK(Affects.WRITES);

  private final Affects affects;

  Part(Affects affects) {
    this.affects = affects;
  }

  /** What stops working with it. */
  public Affects affects() {
    return affects;
  }

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
