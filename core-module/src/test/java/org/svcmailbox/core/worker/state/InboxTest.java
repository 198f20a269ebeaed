package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InboxTest {
  private final Inbox<String> inbox = new Inbox<>(2, () -> 0);
  private final List<String> refused = new ArrayList<>();
  private final List<String> diverted = new ArrayList<>();

  @Test
  void aDiversionTakesPresentAndFutureElementsUntilItEnds() {
    assertTrue(inbox.offer("queued"));
    inbox.divert(diverted::add);
    assertTrue(inbox.offer("later"));
    assertEquals(List.of("queued", "later"), diverted);
    assertEquals(0, inbox.size());
    inbox.endDiversion();
    assertTrue(inbox.offer("after"));
    assertEquals("after", inbox.poll());
  }

  @Test
  void theEndOfADiversionOpensNoClosedInbox() {
    inbox.divert(diverted::add);
    inbox.close(refused::add);
    assertTrue(inbox.offer("while both"));
    inbox.endDiversion();
    assertTrue(inbox.offer("of a dead worker"));
    assertEquals(List.of("while both", "of a dead worker"), refused);
    assertEquals(List.of(), diverted);
  }

  @Test
  void aSuccessorsInboxIsDivertedUntilTheDiversionEnds() {
    inbox.close(refused::add);
    inbox.divert(diverted::add);
    inbox.open();
    assertTrue(inbox.offer("diverted"));
    assertEquals(List.of("diverted"), diverted);
    assertEquals(List.of(), refused);
  }
}
