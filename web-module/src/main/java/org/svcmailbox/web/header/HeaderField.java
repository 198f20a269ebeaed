package org.svcmailbox.web.header;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields that have a header: {@code delay_ms} is {@code Mailbox-Delay-Ms}. */
public enum HeaderField {
  MSG_ID,
  TOPIC,
  TS,
  IDEM_KEY("Idempotency-Key"),
  PAYLOAD_HASH,
  ATTRS,
  CORR_ID,
  SHARD,
  SEQ,
  ATTEMPT,
  HASH_CHAIN,
  SIG,
  RECEIPT,
  SHARD_KEY,
  DELAY_MS,
  TTL_MS,
  VISIBILITY_MS,
  LAST_ERROR,
  WAIT_MS,
  MAX_BYTES;

  private static final String PREFIX = "Mailbox-";
  private static final String LOWER_PREFIX = PREFIX.toLowerCase(Locale.ROOT);
  private static final Map<String, HeaderField> BY_LOWER_HEADER =
      Stream.of(values())
          .collect(
              Collectors.toUnmodifiableMap(
                  field -> field.header.toLowerCase(Locale.ROOT), Function.identity()));
  private static final Map<String, HeaderField> BY_FIELD =
      Stream.of(values())
          .collect(Collectors.toUnmodifiableMap(HeaderField::field, Function.identity()));

  private final String header;

  HeaderField() {
    this.header =
        Arrays.stream(name().split("_", -1))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining("-", PREFIX, ""));
  }

  HeaderField(String header) {
    this.header = header;
  }

  public String header() {
    return header;
  }

  /** The field's name in JSON. */
  String field() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a header names a field or starts like one. */
  public static boolean isMailboxHeader(String lowerHeader) {
    return lowerHeader.startsWith(LOWER_PREFIX) || BY_LOWER_HEADER.containsKey(lowerHeader);
  }

  /** Returns the field of a header; null when there is none. */
  static @Nullable HeaderField ofHeader(String lowerHeader) {
    return BY_LOWER_HEADER.get(lowerHeader);
  }

  /** Returns the header of a JSON field; null when there is none. */
  static @Nullable HeaderField ofField(String field) {
    return BY_FIELD.get(field);
  }
}
