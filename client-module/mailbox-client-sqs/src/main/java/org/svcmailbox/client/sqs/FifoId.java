package org.svcmailbox.client.sqs;

import java.util.regex.Pattern;

/**
 * A group or a key in the form of SQS: up to 128 printable ASCII characters. Any other text is
 * replaced by its hash.
 */
final class FifoId {
  private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,128}");
  private static final String HASHED = "sha256:";

  private FifoId() {}

  /** Different texts have different ids. */
  static String of(String text) {
    return ALLOWED.matcher(text).matches() && !text.startsWith(HASHED)
        ? text
        : HASHED + Digests.sha256(text);
  }
}
