package org.svcmailbox.client.cdi;

import java.util.Arrays;
import java.util.Locale;

/** A setting of a mailbox, as the last part of its key. */
enum MailboxSetting {
  CONCURRENCY("concurrency", Of.LISTENER),
  ORDERED("ordered", Of.LISTENER),
  VISIBILITY("visibility", Of.LISTENER),
  MAX_EXECUTION("max-execution", Of.LISTENER),
  RETRY_DELAY("retry-delay", Of.LISTENER),
  DEAD_LETTER_MAILBOX("dead-letter-mailbox", Of.LISTENER),
  DEAD_LETTER_LIMIT("dead-letter-limit", Of.LISTENER),
  STOP_TIMEOUT("stop-timeout", Of.LISTENER),
  URL("url", Of.SERVICE),
  TOKEN_FILE("token-file", Of.SERVICE),
  ALLOW_PLAIN_HTTP("allow-plain-http", Of.SERVICE),
  STREAMING("streaming", Of.SERVICE),
  REPLY_TO("reply-to", Of.REPLIES);

  /** The beginning of every key. The server keeps {@code mailbox.} for itself. */
  static final String PREFIX = "svcmailbox.";

  /** The mailboxes that have a setting. */
  enum Of {
    /** Mailboxes with a listener. */
    LISTENER,
    /** Mailboxes over HTTP; without a name, the key is the default of all of them. */
    SERVICE,
    /** Mailboxes over HTTP with a listener. */
    REPLIES
  }

  private final String text;
  private final Of of;

  MailboxSetting(String text, Of of) {
    this.text = text;
    this.of = of;
  }

  String key(String mailbox) {
    return PREFIX + mailbox + "." + text;
  }

  /** The key that applies if a mailbox has no key of its own. */
  String commonKey() {
    return PREFIX + text;
  }

  boolean isOf(Of kind) {
    return of == kind;
  }

  /** Whether a key may be one for a mailbox of another application. */
  static boolean endsAny(String key) {
    return Arrays.stream(values())
        .anyMatch(
            setting ->
                key.endsWith("." + setting.text)
                    || variable(key).endsWith("_" + variable(setting.text)));
  }

  /** The environment variable for a key, as MicroProfile Config maps it. */
  static String variable(String key) {
    return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }
}
