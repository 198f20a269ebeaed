package org.svcmailbox.core.redrive.action;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.topic.Topic;

/** A way to move letters out of their queue. {@link ActionRunner} calls take, stage and commit. */
public sealed interface LetterAction permits DiscardLetters, RedriveInPlace, RedriveAsNew {
  /** The error of a letter that cannot be redriven. */
  String UNREADABLE = "it cannot be read as a message; it can only be discarded";

  /** Whether the topic must not change between stage and commit. */
  boolean needsSteadyTopic();

  /** Takes letters of one queue, except those that are gone or held by others. */
  TakenLetters take(List<DeadLetter> letters);

  /** The letters of one action. Owned by one thread. */
  interface TakenLetters extends AutoCloseable {
    /**
     * Stages the action and returns the letters that it may move. Nothing is durable yet. A deleted
     * topic is null.
     */
    Set<LetterPosition> stage(@Nullable Topic topic);

    /**
     * Moves the staged letters; on disk on return. Throws {@code UnavailableException} if it is
     * unknown which ones have moved.
     */
    ActionResult commit();

    /** Returns the remaining letters to their queue. Never throws. */
    @Override
    void close();
  }
}
