package org.svcmailbox.client.redis;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Maps failures of Redis to those of a mailbox. */
final class RedisErrors {
  private RedisErrors() {}

  /** Whether Redis refused a command because its memory is full. */
  static boolean isOutOfMemory(JedisDataException answer) {
    return code(answer).equals("OOM");
  }

  /** Whether a server refused a change because it is a replica. */
  static boolean isReadOnly(JedisDataException answer) {
    return code(answer).equals("READONLY");
  }

  /** Whether nothing was done and the same call may succeed soon, perhaps on another server. */
  static boolean isRepeatable(JedisDataException answer) {
    return switch (code(answer)) {
      case "ASK", "MOVED", "NOSCRIPT", "TRYAGAIN" -> true;
      default -> false;
    };
  }

  /** An error that Redis answered. */
  static MailboxException refused(JedisDataException answer) {
    String code = code(answer);
    return switch (code) {
      case "OOM" -> new MailboxFullException("Redis is out of memory");
      case "NOAUTH", "WRONGPASS", "NOPERM" ->
          new AccessDeniedException("Redis refuses the call: " + code, answer);
      case "ASK",
          "BUSY",
          "CLUSTERDOWN",
          "LOADING",
          "MASTERDOWN",
          "MISCONF",
          "MOVED",
          "NOREPLICAS",
          "READONLY",
          "TRYAGAIN",
          "UNBLOCKED" ->
          new MailboxConnectionException(
              "Redis cannot serve the call: " + code, Outcome.NOT_DONE, answer);
      default -> new MailboxConnectionException("Redis failed: " + code, Outcome.UNKNOWN, answer);
    };
  }

  /** There is no connection, so nothing was asked. */
  static MailboxException unreachable(JedisException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (cause instanceof JedisDataException answer
          && refused(answer) instanceof AccessDeniedException denied) {
        return denied;
      }
    }
    return new MailboxConnectionException("Redis cannot be reached", Outcome.NOT_DONE, failure);
  }

  /** The request was sent, and no answer came. */
  static MailboxException unanswered(JedisException failure) {
    return new MailboxConnectionException("Redis did not answer", Outcome.UNKNOWN, failure);
  }

  private static String code(JedisDataException answer) {
    @Nullable String text = answer.getMessage();
    return text == null ? "" : text.split(" ", 2)[0];
  }
}
