package org.svcmailbox.web.message;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.Biography;
import org.svcmailbox.core.lookup.Fact;

/** All that is known of a message. */
record BiographyResponse(
    String msgId,
    String now,
    boolean complete,
    String lookedAt,
    @Nullable String topic,
    @Nullable Integer shard,
    @Nullable Long seq,
    @Nullable String idemKey,
    @Nullable String corrId,
    @Nullable Integer attempt,
    @Nullable String until,
    List<MessageFact> facts) {
  /** One fact. */
  record MessageFact(
      String kind,
      @Nullable String at,
      String source,
      @Nullable Integer attempt,
      @Nullable String by,
      @Nullable String byName,
      @Nullable String note) {
    private static MessageFact of(Fact fact, Map<String, String> names) {
      return new MessageFact(
          fact.kind().text(),
          text(fact.at()),
          fact.recorded() ? "recorded" : "inferred",
          fact.attempt(),
          fact.by(),
          fact.by() == null ? null : names.get(fact.by()),
          fact.note().isEmpty() ? null : fact.note());
    }
  }

  static BiographyResponse of(Biography told) {
    Envelope envelope = told.envelope();
    TopicName topic = told.topic();
    return new BiographyResponse(
        told.msgId().toString(),
        told.now().text(),
        told.isComplete(),
        Timestamps.text(told.lookedAt()),
        topic == null ? null : topic.value(),
        told.shard(),
        told.seq(),
        envelope == null ? null : envelope.idemKey().value(),
        envelope == null ? null : envelope.corrId().value(),
        envelope == null ? null : (Integer) envelope.attempt(),
        text(told.until()),
        told.facts().stream().map(fact -> MessageFact.of(fact, told.names())).toList());
  }

  private static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : Timestamps.text(at);
  }
}
