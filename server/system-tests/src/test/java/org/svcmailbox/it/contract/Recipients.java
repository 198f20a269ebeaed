package org.svcmailbox.it.contract;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Mailboxes of the rendezvous door that no other test uses. */
final class Recipients {
  private static final int BYTES = 32;

  private Recipients() {}

  /** 64 hex digits. */
  static String fresh() {
    byte[] bytes = new byte[BYTES];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
