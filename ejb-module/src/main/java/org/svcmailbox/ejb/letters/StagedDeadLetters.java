package org.svcmailbox.ejb.letters;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterPositions;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.ejb.codec.LetterCodec;
import org.svcmailbox.ejb.codec.MessageCodec;

/** The dead letters of one session's open transaction. Owned by the session's thread. */
public final class StagedDeadLetters {
  private record StagedLetter(
      LetterSegment segment, TopicName topic, CoreMessage letter, int bytes) {}

  private final LetterSegments segments;
  private final LetterPositions positions;
  private final Consumer<List<DeadLetter>> listener;
  private final List<StagedLetter> staged = new ArrayList<>();
  private @Nullable LetterPosition first;

  /**
   * @param listener receives committed letters; must not throw
   */
  public StagedDeadLetters(
      LetterSegments segments, LetterPositions positions, Consumer<List<DeadLetter>> listener) {
    this.segments = segments;
    this.positions = positions;
    this.listener = listener;
  }

  /**
   * Adds a letter and sets its position.
   *
   * @param bytes size of the payload
   * @return the queue to send it to
   */
  public SimpleString stage(TopicName topic, CoreMessage letter, int bytes) {
    if (!letter.containsProperty(MessageCodec.POSITION)) {
      letter.putLongProperty(MessageCodec.POSITION, next(diedAt(letter)).bits());
    }
    LetterSegment segment = segments.enter(topic, letter.getEncodeSize());
    staged.add(new StagedLetter(segment, topic, letter, bytes));
    return segment.queue();
  }

  private LetterPosition next(Instant diedAt) {
    if (first != null) {
      return positions.next(diedAt);
    }
    LetterPosition opened = positions.open(diedAt);
    first = opened;
    return opened;
  }

  /** Letters made by others may lack the property. */
  private static Instant diedAt(CoreMessage letter) {
    return Instant.ofEpochMilli(
        letter.getObjectProperty(MessageCodec.DEAD_AT) instanceof Long millis
            ? millis
            : letter.getTimestamp());
  }

  /** Announces the letters once their transaction is on disk. */
  public void committed() {
    if (!staged.isEmpty()) {
      listener.accept(staged.stream().map(StagedDeadLetters::letter).toList());
      ended();
    }
  }

  private static DeadLetter letter(StagedLetter letter) {
    return LetterCodec.decode(
        letter.letter(), letter.bytes(), letter.topic(), letter.segment().number());
  }

  /** Ends the transaction, committed or not. */
  public void ended() {
    staged.forEach(letter -> letter.segment().leave());
    staged.clear();
    if (first != null) {
      positions.close(first);
      first = null;
    }
  }
}
