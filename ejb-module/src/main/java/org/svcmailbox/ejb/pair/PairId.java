package org.svcmailbox.ejb.pair;

import java.util.UUID;

/** The id of a database and a broker that belong together; random, and never used again. */
public record PairId(String text) {
  /** One that no pair has had. */
  static PairId random() {
    return new PairId(UUID.randomUUID().toString());
  }

  @Override
  public String toString() {
    return text;
  }
}
