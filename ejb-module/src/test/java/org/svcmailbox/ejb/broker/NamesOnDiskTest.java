package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.BrokerContract.FIRST;
import static org.svcmailbox.core.broker.BrokerContract.ORDERS;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQIOErrorException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.test.concurrent.Deadline;

/** Page folders are named on disk before anybody is answered. */
@ExtendWith(Brokers.Lender.class)
class PageFoldersTest {
  private static final SimpleString QUEUE = QueueNames.of(FIRST);

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard().withJournalBuffer(480 * 1024));
    fixture.broker().createQueues(ORDERS);
  }

  private ActiveMQServer server() {
    return fixture.artemis().server();
  }

  private Path page() throws Exception {
    assertTrue(server().getPagingManager().getPageStore(QUEUE).startPaging());
    File folder = server().getPagingManager().getPageStore(QUEUE).getFolder();
    return folder.toPath().resolve("address.txt");
  }

  private void send(BrokerSession session, long seq) {
    session.enqueue(FIRST, SampleMessages.message(FIRST, seq, Instant.now()), null);
    session.commit();
  }

  /** A name that cannot be synced stands for one that would not outlive a power cut. */
  @Test
  void aPagedMessageIsCommittedOnlyWhenItsFolderIsNamedOnDisk() throws Exception {
    Path name = page();
    try (BrokerSession session = fixture.broker().open(0)) {
      Files.delete(name);
      Files.createSymbolicLink(name, name);
      UnavailableException failure =
          assertThrows(UnavailableException.class, () -> send(session, 1));
      assertTrue(
          String.valueOf(failure.getCause()).contains("cannot sync " + name.getParent()),
          failure::toString);
    }
    Files.delete(name);
    Files.writeString(name, QUEUE + "\n");
    try (BrokerSession session = fixture.broker().open(0)) {
      send(session, 2);
      Files.delete(name);
      Files.createSymbolicLink(name, name);
      assertDoesNotThrow(() -> send(session, 3), "it is synced once");
    }
  }

  @Test
  void aFailureToWriteIsToldBeforeTheBrokerGoesOn() {
    List<String> told = new ArrayList<>();
    fixture.broker().onDiskError(told::add);
    server()
        .getStorageManager()
        .criticalError(new ActiveMQIOErrorException("No space left on device"));
    assertEquals(List.of("No space left on device"), told);
    Deadline.in(Duration.ofSeconds(30))
        .await(() -> !server().isStarted(), () -> "the end of the broker");
  }
}
