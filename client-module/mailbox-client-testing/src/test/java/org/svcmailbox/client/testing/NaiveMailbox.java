package org.svcmailbox.client.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The mailbox in memory, written to be read: one list, searched from the front. */
final class NaiveMailbox {
  /** A message. It is hidden until a moment; while held, that is the end of its lease. */
  static final class Stored {
    final int number;
    final String body;
    final @Nullable String key;
    final @Nullable String group;
    Duration hiddenUntil;
    int deliveries;
    boolean held;
    boolean nacked;
    @Nullable String error;

    Stored(
        int number,
        String body,
        @Nullable String key,
        @Nullable String group,
        Duration hiddenUntil) {
      this.number = number;
      this.body = body;
      this.key = key;
      this.group = group;
      this.hiddenUntil = hiddenUntil;
    }
  }

  /** A message as a receive returns it. */
  record Delivered(int number, String body, int delivery, String error) {}

  /** The answer to a send. */
  enum SendAnswer {
    SENT,
    DUPLICATE,
    CONFLICT,
    FULL
  }

  final List<Stored> messages = new ArrayList<>();
  private final int capacity;
  private final boolean strict;
  private Duration now = Duration.ZERO;
  private int sent;

  NaiveMailbox(int capacity, boolean strict) {
    this.capacity = capacity;
    this.strict = strict;
  }

  SendAnswer send(String body, @Nullable String key, @Nullable String group, Duration delay) {
    for (Stored message : messages) {
      if (key != null && key.equals(message.key)) {
        return body.equals(message.body) ? SendAnswer.DUPLICATE : SendAnswer.CONFLICT;
      }
    }
    if (messages.size() == capacity) {
      return SendAnswer.FULL;
    }
    messages.add(new Stored(sent++, body, key, group, now.plus(delay)));
    return SendAnswer.SENT;
  }

  int lastNumber() {
    return sent - 1;
  }

  List<Delivered> receive(int most, Duration visibility) {
    List<Stored> before = hidden();
    List<Delivered> taken = new ArrayList<>();
    for (Stored message : messages) {
      boolean blocked =
          strict && before.stream().anyMatch(other -> group(other).equals(group(message)));
      if (taken.size() < most && !isHidden(message) && !blocked) {
        message.deliveries++;
        message.held = true;
        message.nacked = false;
        message.hiddenUntil = now.plus(visibility);
        String error = message.error == null ? "" : message.error;
        message.error = null;
        taken.add(new Delivered(message.number, message.body, message.deliveries, error));
      }
    }
    return taken;
  }

  /** The message, if this delivery of it still holds it. */
  @Nullable Stored held(int number, int delivery) {
    return messages.stream()
        .filter(m -> m.number == number && m.deliveries == delivery && m.held && isHidden(m))
        .findFirst()
        .orElse(null);
  }

  /** The message, if this delivery is the last one and was not nacked. */
  @Nullable Stored acknowledgeable(int number, int delivery) {
    return messages.stream()
        .filter(m -> m.number == number && m.deliveries == delivery && !m.nacked)
        .findFirst()
        .orElse(null);
  }

  void acknowledge(Stored message) {
    messages.remove(message);
  }

  void nack(Stored message, Duration delay, String reason) {
    message.held = false;
    message.nacked = true;
    message.error = reason;
    message.hiddenUntil = now.plus(delay);
  }

  void extend(Stored message, Duration timeout) {
    message.hiddenUntil = now.plus(timeout);
  }

  /** Time passes; what it brings back is ready in its old place. */
  void advance(Duration duration) {
    now = now.plus(duration);
    for (Stored message : messages) {
      if (message.held && !isHidden(message)) {
        message.held = false;
        message.error = null;
      }
    }
    messages.sort(Comparator.comparing(message -> message.number));
  }

  int purge() {
    int purged = messages.size();
    messages.clear();
    return purged;
  }

  int heldCount() {
    return (int) messages.stream().filter(message -> message.held && isHidden(message)).count();
  }

  private List<Stored> hidden() {
    return messages.stream().filter(this::isHidden).toList();
  }

  private boolean isHidden(Stored message) {
    return message.hiddenUntil.compareTo(now) > 0;
  }

  private static String group(Stored message) {
    return message.group == null ? "" : message.group;
  }
}
