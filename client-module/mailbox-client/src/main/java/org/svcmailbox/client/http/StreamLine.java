package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.StreamArrivals;
import org.svcmailbox.client.service.StreamArrivals.Sign;
import org.svcmailbox.client.service.StreamEnding;

/**
 * One line of a stream, as its fields stand in it.
 *
 * @param type {@code open}, {@code message}, {@code heartbeat} or {@code end}; others are ignored
 * @param stream its id, of an {@code open}
 * @param n the number of a message in its stream, from 1
 * @param message a leased message
 * @param reason of an {@code end}
 * @param problem of an {@code end} that has one
 * @param <M> the message
 */
record StreamLine<M>(
    @Nullable String type,
    @Nullable String stream,
    long n,
    @Nullable M message,
    @Nullable String reason,
    @Nullable JsonNode problem) {

  /**
   * The sign that the line is; null for a line of a later service.
   *
   * @throws IOException if it lacks a field
   */
  @Nullable Sign<M> sign() throws IOException {
    if (type == null) {
      return null;
    }
    return switch (type) {
      case "open" -> new StreamArrivals.Opened<>(required(stream));
      case "message" -> new StreamArrivals.Arrived<>(n, required(message));
      case "heartbeat" -> new StreamArrivals.Alive<>(null);
      case "end" -> new StreamArrivals.Ended<>(StreamEnding.of(required(reason)));
      default -> null;
    };
  }

  private static <A> A required(@Nullable A field) throws IOException {
    if (field == null) {
      throw new IOException("a line of the stream lacks a field");
    }
    return field;
  }

  /** The same line with its message read. */
  <O> StreamLine<O> with(@Nullable O other) {
    return new StreamLine<>(type, stream, n, other, reason, problem);
  }
}
