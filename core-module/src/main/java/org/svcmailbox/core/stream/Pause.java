package org.svcmailbox.core.stream;

import java.util.Locale;

/** Why a stream leases nothing for now. */
public enum Pause {
  /** The client holds as much as its window allows. */
  WINDOW,
  /** The client has not asked for more. */
  CREDIT,
  /** A call rate is used up. */
  RATE,
  /** A bound on leases or waiting calls is reached. */
  BOUND,
  /** An operator has paused the topic. */
  TOPIC,
  /** The broker or the database is away. */
  UNAVAILABLE,
  /** The client does not read. Never written. */
  OUTPUT;

  /** The word in the protocol and in metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
