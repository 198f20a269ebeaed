package org.svcmailbox.it.client;

import java.util.UUID;

/** Names of topics that no other test has used. */
public final class TestTopics {
  private TestTopics() {}

  /** A new name that begins with {@code purpose}. */
  public static String fresh(String purpose) {
    return purpose + "." + UUID.randomUUID();
  }
}
