package org.svcmailbox.ejb.pair;

import java.util.UUID;

/** The id of a database and a broker that belong together. It is random and never reused. */
public record PairId(String text) {
  /** A new id. */
  static PairId random() {
    return new PairId(UUID.randomUUID().toString());
  }

  @Override
  public String toString() {
    return text;
  }
}
