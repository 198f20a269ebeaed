package org.svcmailbox.core.health;

import java.util.Locale;

/** A part of the service that is either up or down. */
public enum Part {
  /** Down when a thread dies again and again. */
  THREADS(Affects.LIFE),
  /** Down after a failed write to the broker's files. The process then ends. */
  JOURNAL(Affects.LIFE),
  BROKER(Affects.READS),
  /** Down unless the broker has the address settings that this service relies on. */
  BROKER_SETTINGS(Affects.READS),
  WORKERS(Affects.READS),
  /** Down during shutdown. */
  INTAKE(Affects.READS),
  /** Down unless this process is a member of its cluster and stays one; up in one that is alone. */
  CLUSTER(Affects.READS),
  /** Whether database and broker match. A mismatch is reported but stops nothing. */
  STORES(Affects.WRITES),
  DATABASE(Affects.WRITES),
  /** Whether capabilities can be verified, or are believed while the database is away. */
  CAPABILITIES(Affects.READS),
  /**
   * Down unless the workers' batch logs are whole and the database follows them. SENDs fail once
   * the logs are full.
   */
  PROJECTION(Affects.WRITES),
  /** Down unless the data disk is writable and has more free space than the reserve. */
  DISK(Affects.WRITES);

  private final Affects affects;

  Part(Affects affects) {
    this.affects = affects;
  }

  public Affects affects() {
    return affects;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
