package org.svcmailbox.client.spi;

import java.time.Duration;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SerializationException;

/** Checks arguments against a backend's limits. */
final class Checks {
  private final BackendFeatures can;

  Checks(BackendFeatures can) {
    this.can = can;
  }

  void receive(int maxMessages, Duration visibility, Duration wait) {
    between("maxMessages", maxMessages, 1, can.maxBatch());
    visibility(visibility);
    between("wait", wait, Duration.ZERO, can.maxWait());
  }

  void visibility(Duration visibility) {
    between("visibility", visibility, can.minVisibility(), can.maxVisibility());
  }

  void nack(Duration visibility) {
    between("visibility", visibility, Duration.ZERO, can.maxVisibility());
  }

  void batch(int size) {
    between("messages", size, 0, can.maxBatch());
  }

  void message(Outgoing<?, ?> message) {
    supported("key", message.key().isEmpty() || can.keys() != KeyScope.NONE);
    supported("group", message.group().isEmpty() || can.groups());
    supported("delay", message.delay().isZero() || !can.maxDelay().isZero());
    between("delay", message.delay(), Duration.ZERO, can.maxDelay());
    between("attributes", message.attributes().size(), 0, can.maxAttributes());
  }

  void payload(EncodedBody payload) {
    if (payload.size() > can.maxBodyBytes()) {
      throw new SerializationException(
          "the body has " + payload.size() + " bytes, more than " + can.maxBodyBytes());
    }
  }

  private static void supported(String option, boolean holds) {
    if (!holds) {
      throw new UnsupportedOperationException("this mailbox has no option " + option);
    }
  }

  private static void between(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must be between " + min + " and " + max + ", not " + value);
    }
  }

  private static void between(String what, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          what + " must be between " + min + " and " + max + ", not " + value);
    }
  }
}
