package org.svcmailbox.ejb.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.deadletter.Places;
import org.svcmailbox.core.envelope.TopicName;

/** The dead letters of one session's transaction under way. Owned by the session's thread. */
final class Burial {
  private record Grave(LetterSegment segment, TopicName topic, CoreMessage letter, int bytes) {}

  private final LetterSegments segments;
  private final Places places;
  private final Consumer<List<DeadLetter>> listener;
  private final List<Grave> graves = new ArrayList<>();
  private @Nullable Place first;

  /**
   * @param listener is told what died once it is on disk; must not fail
   */
  Burial(LetterSegments segments, Places places, Consumer<List<DeadLetter>> listener) {
    this.segments = segments;
    this.places = places;
    this.listener = listener;
  }

  /**
   * Gives a letter its place.
   *
   * @param bytes of its payload
   * @return the queue to send it to
   */
  SimpleString place(TopicName topic, CoreMessage letter, int bytes) {
    if (!letter.containsProperty(MessageCodec.PLACE)) {
      letter.putLongProperty(MessageCodec.PLACE, next(diedAt(letter)).bits());
    }
    LetterSegment segment = segments.enter(topic, letter.getEncodeSize());
    graves.add(new Grave(segment, topic, letter, bytes));
    return segment.queue();
  }

  private Place next(Instant diedAt) {
    if (first != null) {
      return places.next(diedAt);
    }
    Place opened = places.open(diedAt);
    first = opened;
    return opened;
  }

  /** A letter that somebody else made may not say. */
  private static Instant diedAt(CoreMessage letter) {
    return Instant.ofEpochMilli(
        letter.getObjectProperty(MessageCodec.DEAD_AT) instanceof Long millis
            ? millis
            : letter.getTimestamp());
  }

  /** The transaction is on disk. */
  void committed() {
    if (!graves.isEmpty()) {
      listener.accept(graves.stream().map(Burial::letter).toList());
      ended();
    }
  }

  private static DeadLetter letter(Grave grave) {
    return LetterCodec.decode(
        grave.letter(), grave.bytes(), grave.topic(), grave.segment().number());
  }

  /** The transaction is over, perhaps without a trace. */
  void ended() {
    graves.forEach(grave -> grave.segment().leave());
    graves.clear();
    if (first != null) {
      places.close(first);
      first = null;
    }
  }
}
