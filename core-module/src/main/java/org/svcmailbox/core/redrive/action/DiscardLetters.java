package org.svcmailbox.core.redrive.action;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.Topic;

public record DiscardLetters(LetterMover mover) implements LetterAction {
  @Override
  public boolean needsSteadyTopic() {
    return false;
  }

  @Override
  public TakenLetters take(List<DeadLetter> letters) {
    return new Discards(mover.take(letters));
  }

  private record Discards(LetterMover.Transaction transaction) implements TakenLetters {
    @Override
    public Set<LetterPosition> stage(@Nullable Topic topic) {
      Set<LetterPosition> taken = transaction.letters().keySet();
      taken.forEach(transaction::discard);
      return taken;
    }

    @Override
    public ActionResult commit() {
      Set<LetterPosition> taken = transaction.letters().keySet();
      if (!taken.isEmpty()) {
        transaction.commit();
      }
      return new ActionResult(taken, Map.of(), null, Set.of());
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
