package org.svcmailbox.bench.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import org.svcmailbox.outbox.event.CorrelationContext;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.publish.Headers;

/**
 * Numbered events of 10,000 orders in random order, each with about 250 bytes of JSON. SQL
 * generates the same events.
 */
final class OutboxOrders {
  static final String CONTEXT = "shop";

  /** The payload in SQL and Java, with {@code #} for the number. */
  static final String TEMPLATE =
      "{\"order\": \"o-#\", \"status\": \"placed\", \"customer\": \"c-#\", \"currency\": \"EUR\","
          + " \"lines\": [{\"sku\": \"sku-1001\", \"price\": 39.95, \"quantity\": 2},"
          + " {\"sku\": \"sku-2002\", \"price\": 50.00, \"quantity\": 1}],"
          + " \"note\": \"leave it with the neighbours\", \"total\": 129.90}";

  /** The aggregate of event {@code n} in SQL. */
  static final String AGGREGATE_SQL =
      "CAST(CAST('x' || substr(md5(CAST(n AS text)), 1, 6) AS bit(24)) AS int) % 10000";

  private static final String TYPE = "order";
  private static final String EVENT = "order_placed";

  private OutboxOrders() {}

  static String json(long number) {
    return TEMPLATE.replace("#", Long.toString(number));
  }

  /** The aggregate as {@link #AGGREGATE_SQL} computes it. */
  static String aggregate(long number) {
    byte[] digest = md5(Long.toString(number));
    int first = (digest[0] & 0xff) << 16 | (digest[1] & 0xff) << 8 | (digest[2] & 0xff);
    return Integer.toString(first % 10_000);
  }

  private static byte[] md5(String text) {
    try {
      return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }

  static NewEvent event(long number) {
    return NewEvent.of(TYPE, aggregate(number), EVENT, json(number));
  }

  static EventSubject subject() {
    return EventSubject.of(CONTEXT, EVENT, 1);
  }

  static Payload payload(long number) {
    return new Payload(json(number));
  }

  /** The headers of the published event. */
  static Headers headers(long number) {
    return new Headers(
        MessageId.next(),
        TYPE + ":" + aggregate(number),
        Instant.now(),
        CorrelationContext.NONE,
        null);
  }
}
