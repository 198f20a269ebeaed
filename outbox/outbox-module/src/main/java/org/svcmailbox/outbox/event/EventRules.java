package org.svcmailbox.outbox.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of every event, checked before any SQL and again before it is published. */
public final class EventRules {
  /** The most bytes of a payload, as UTF-8. */
  public static final int MAX_PAYLOAD_BYTES = 512 << 10;

  /** The most characters of an aggregate's type and id, with the colon between them. */
  public static final int MAX_AGGREGATE = 255;

  /** No event occurred earlier. */
  public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  /** The most levels of a payload; readers take no more. */
  private static final int MAX_LEVELS = StreamReadConstraints.DEFAULT_MAX_DEPTH;

  /** The most characters of a number, likewise. */
  private static final int MAX_NUMBER = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;

  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();

  private EventRules() {}

  /**
   * Checks an event before it is recorded.
   *
   * @param now the writer's clock
   * @throws OutboxException with the first rule that it breaks
   */
  public static void require(NewEvent event, Instant now) {
    requireIdentity(event);
    String aggregate = event.aggregateType() + ":" + event.aggregateId();
    require(aggregate(aggregate));
    EventSubject unused = EventSubject.of("context", event.eventType(), event.eventVersion());
    require(payload(event.payload().json()));
    require(occurred(event.occurredAt(), now));
  }

  /**
   * Checks a row, because a row inserted by other means can break the rules: a database accepts
   * JSON that readers refuse. The database's own check of the time allows for clocks that differ by
   * a minute.
   *
   * @param context the bounded context that publishes it
   * @return the subject to publish it under
   * @throws OutboxException with the first rule that it breaks
   */
  public static EventSubject require(OutboxEvent event, String context) {
    require(aggregate(event.aggregate()));
    EventSubject subject = EventSubject.of(context, event.eventType(), event.eventVersion());
    require(payload(event.payload().json()));
    return subject;
  }

  private static void require(Optional<OutboxException> violation) {
    if (violation.isPresent()) {
      throw violation.get();
    }
  }

  /** Callers in plain Java can pass null where a record's component is declared without it. */
  private static void requireIdentity(NewEvent event) {
    if (isMissing(event.id()) || isMissing(event.eventType())) {
      throw new OutboxException(ErrorCode.INVALID_OUTBOX, "id and event type are required");
    }
    if (isMissing(event.aggregateType())
        || isMissing(event.aggregateId())
        || isMissing(event.payload())
        || isMissing(event.correlation())) {
      throw new OutboxException(
          ErrorCode.INVALID_OUTBOX, "aggregate type, aggregate id and payload are required");
    }
  }

  private static boolean isMissing(@Nullable Object value) {
    return value == null;
  }

  private static Optional<OutboxException> aggregate(String aggregate) {
    if (aggregate.length() > MAX_AGGREGATE) {
      return invalid("aggregate type and id have more than " + MAX_AGGREGATE + " characters");
    }
    return isStorable(aggregate)
        ? Optional.empty()
        : invalid("the aggregate has a character that no database stores");
  }

  private static Optional<OutboxException> occurred(@Nullable Instant occurredAt, Instant now) {
    if (occurredAt != null && occurredAt.isAfter(now)) {
      return Optional.of(
          new OutboxException(
              ErrorCode.FUTURE_EVENT, occurredAt + " is after the writer's clock, " + now));
    }
    return occurredAt != null && occurredAt.isBefore(EARLIEST)
        ? invalid("the event occurred before " + EARLIEST)
        : Optional.empty();
  }

  /**
   * Checks a text that should be JSON, as the payload of an event.
   *
   * @return what is wrong with it
   */
  public static Optional<OutboxException> payload(String json) {
    Optional<OutboxException> tooLarge = size(json);
    if (tooLarge.isPresent()) {
      return tooLarge;
    }
    try (JsonParser parser = JSON.createParser(json)) {
      return value(parser);
    } catch (StreamConstraintsException e) {
      return invalid(
          "the payload has more than "
              + MAX_LEVELS
              + " levels, or a number of more than "
              + MAX_NUMBER
              + " characters");
    } catch (IOException e) {
      return invalid("the payload is not JSON");
    }
  }

  private static Optional<OutboxException> size(String json) {
    return isLonger(json, MAX_PAYLOAD_BYTES)
        ? Optional.of(
            new OutboxException(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "the payload has more than " + MAX_PAYLOAD_BYTES + " bytes"))
        : Optional.empty();
  }

  /** Counts only where it must: a character takes three bytes at most. */
  private static boolean isLonger(String text, int bytes) {
    return text.length() > bytes
        || (text.length() > bytes / 3 && text.getBytes(StandardCharsets.UTF_8).length > bytes);
  }

  /** Reads one value to the end of the text. */
  private static Optional<OutboxException> value(JsonParser parser) throws IOException {
    if (parser.nextToken() == null) {
      return invalid("the payload is empty");
    }
    int depth = 0;
    do {
      if (parser.currentToken().isStructStart()) {
        depth++;
      } else if (parser.currentToken().isStructEnd()) {
        depth--;
      } else if (!isStorable(parser)) {
        return invalid("the payload has a value that no database stores");
      }
    } while (parser.nextToken() != null && depth > 0);
    return parser.currentToken() == null
        ? Optional.empty()
        : invalid("the payload is more than one JSON value");
  }

  private static boolean isStorable(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case FIELD_NAME, VALUE_STRING -> isStorable(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> isStorableNumber(parser.getText());
      default -> true;
    };
  }

  /**
   * PostgreSQL keeps the numbers of JSON as numeric, and writes them without an exponent. The
   * parser has seen to the length of one that has none.
   */
  private static boolean isStorableNumber(String text) {
    if (text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return true;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      long whole = Math.max(1, (long) number.precision() - number.scale());
      long fraction = Math.max(0, number.scale());
      // With a sign and a point.
      return whole + fraction + 2 <= MAX_NUMBER;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** PostgreSQL refuses U+0000, also escaped, and a lone surrogate is not UTF-8. */
  private static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || (Character.isSurrogate(c) && !isPair(text, i))) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
      }
    }
    return true;
  }

  private static boolean isPair(String text, int high) {
    return high + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(high), text.charAt(high + 1));
  }

  private static Optional<OutboxException> invalid(String what) {
    return Optional.of(new OutboxException(ErrorCode.INVALID_OUTBOX, what));
  }
}
