package org.svcmailbox.ejb.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.ejb.delivery.ArtemisFixture.Way;

/** The entries of a worker's log come back to it in time, however fast batches follow. */
@ExtendWith(Brokers.Lender.class)
final class LogUnderLoadTest {
  private static final int SENDERS = 64;
  private static final int EACH = 160;

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @EnumSource
  void noSendIsRefused(Way way) throws Exception {
    ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
    try (ArtemisBroker broker = fixture.adapter(way);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker)) {
      List<Future<List<String>>> refusals =
          IntStream.range(0, SENDERS)
              .mapToObj(sender -> senders.submit(() -> refusals(mailbox, sender)))
              .toList();
      for (Future<List<String>> each : refusals) {
        assertEquals(List.of(), each.get());
      }
      assertEquals(SENDERS * EACH, mailbox.log().countKeys());
      assertEquals(LogEntry.WINDOW, fixture.count(QueueNames.log(0)));
    } finally {
      senders.shutdownNow();
    }
  }

  /** Why SENDs of one sender, each after the answer to the one before, were refused. */
  private static List<String> refusals(MailboxOnArtemis mailbox, int sender) {
    return IntStream.range(0, EACH)
        .mapToObj(i -> mailbox.send("s" + sender + "-" + i))
        .filter(outcome -> !(outcome instanceof Accepted))
        .map(LogUnderLoadTest::reason)
        .toList();
  }

  private static String reason(SendOutcome outcome) {
    return outcome instanceof Refusal refusal ? refusal.reason() : outcome.toString();
  }
}
