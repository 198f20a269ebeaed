package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.client.BackendFeatures.Durability;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;

/** A closed mailbox ends and refuses everything. */
abstract class ClosingCases extends WaitingCases {
  @Test
  void aClosedMailboxRefusesEverything() {
    Mailbox<String, String> mailbox = mailbox();
    String name = mailbox.name();
    mailbox.send("apple");
    Message<String, String> held = receive(mailbox);
    assertFalse(mailbox.isClosed());

    mailbox.close();
    mailbox.close();

    assertTrue(mailbox.isClosed());
    assertEquals(name, mailbox.name());
    assertEquals(mailbox.features(), mailbox.features());
    for (Executable call :
        List.<Executable>of(
            () -> mailbox.send("pear"),
            () -> mailbox.send("pear", mailbox),
            () -> mailbox.send(Outgoing.of("pear")),
            () -> mailbox.sendAll(List.of(Outgoing.of("pear"))),
            () -> mailbox.receive(1, LONG, Duration.ZERO),
            mailbox::purge,
            mailbox::approximateCount,
            held::acknowledge,
            () -> held.nack(Duration.ZERO, ""),
            () -> held.extendVisibility(LONG))) {
      assertThrows(MailboxClosedException.class, call);
    }
    CompletableFuture<Sent> stage = mailbox.sendAsync(Outgoing.of("pear")).toCompletableFuture();
    ExecutionException failure = assertThrows(ExecutionException.class, stage::get);
    assertInstanceOf(MailboxClosedException.class, failure.getCause());
    assertEquals("apple", held.body());
    assertFalse(held.isFinalized());
  }

  @Test
  void closingEndsABlockedReceive() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    Receiver receiver = new Receiver(mailbox, longWait(mailbox));

    mailbox.close();

    assertEquals(List.of(), receiver.bodies());
    assertFalse(receiver.interrupted);
  }

  @Test
  void closingCompletesEverySendThatIsUnderWay() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    List<CompletableFuture<Sent>> stages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      stages.add(mailbox.sendAsync(independent("apple " + i).build()).toCompletableFuture());
    }

    mailbox.close();

    for (CompletableFuture<Sent> stage : stages) {
      assertTrue(stage.isDone());
      if (stage.isCompletedExceptionally()) {
        ExecutionException failure = assertThrows(ExecutionException.class, stage::get);
        assertInstanceOf(MailboxException.class, failure.getCause());
      }
    }
  }

  @Test
  void whatSurvivesClosingIsAsDurableAsPromised() {
    String name = name();
    Mailbox<String, String> mailbox =
        keep(open(name, ContractCodec.INSTANCE, MailboxResolver.of()));
    mailbox.send("apple");
    mailbox.close();

    Mailbox<String, String> again = keep(open(name, ContractCodec.INSTANCE, MailboxResolver.of()));

    if (again.features().durability() == Durability.NONE) {
      assertNothing(again);
    } else {
      assertEquals("apple", receive(again).body());
    }
  }
}
