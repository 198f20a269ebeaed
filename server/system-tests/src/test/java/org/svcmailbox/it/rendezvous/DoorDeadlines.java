package org.svcmailbox.it.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** Waits, messages and a mailbox of the rendezvous door; no move of the wall clock may end them. */
public final class DoorDeadlines implements AutoCloseable {
  private static final int WAIT = 4_000;
  private static final int LONG_WAIT = 50_000;

  private final DoorClient door;
  private final String name;
  private final CompletableFuture<Long> ended = new CompletableFuture<>();
  private final RawConnection ending;
  private final RawConnection woken;
  private final long used;

  /** The settings of a server whose messages and mailboxes live for a minute. */
  public static Map<String, String> settings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    all.put("MAILBOX_RENDEZVOUS_AUTH_MODE", "disabled");
    all.put("MAILBOX_RENDEZVOUS_ALLOW", "127.0.0.1/32");
    all.put("MAILBOX_RENDEZVOUS_MESSAGE_TTL", "60s");
    all.put("MAILBOX_RENDEZVOUS_IDLE_MAILBOX_TTL", "60s");
    all.put("MAILBOX_RENDEZVOUS_EVICTION_INTERVAL", "1s");
    return all;
  }

  /**
   * Begins everything.
   *
   * @param name of the mailboxes, unlike those of other rounds
   */
  public DoorDeadlines(MailboxServer server, String name) throws IOException {
    this.door = DoorClient.of(server);
    this.name = name;
    door.post(mailbox("kept"), "kept").expect(202);
    used = nextSequence();
    woken = door.waiting(mailbox("woken"), LONG_WAIT);
    long begun = System.nanoTime();
    ending = door.waiting(mailbox("never"), WAIT);
    Thread reader = new Thread(() -> end(begun), "end of the wait");
    reader.setDaemon(true);
    reader.start();
  }

  private void end(long begun) {
    try {
      ending.receive().expect(204);
      ended.complete((System.nanoTime() - begun) / 1_000_000);
    } catch (IOException | AssertionError e) {
      ended.completeExceptionally(e);
    }
  }

  /** Uses a mailbox that is empty before and after. */
  private long nextSequence() throws IOException {
    door.post(mailbox("used"), "used").expect(202);
    Response got = door.get(mailbox("used")).expect(200);
    return Long.parseLong(got.header("x-message-sequence"));
  }

  /**
   * After a move and several rounds of eviction: everything is still there.
   *
   * @param late milliseconds by which a wait may end late
   */
  public void requireUnmoved(int late) throws Exception {
    long took = ended.get();
    assertTrue(took >= WAIT && took <= WAIT + late, () -> "a wait of " + WAIT + " took " + took);
    assertEquals(0, door.metric("messages_evicted"));
    assertEquals("kept", door.get(mailbox("kept")).expect(200).body());
    assertEquals(used + 1, nextSequence(), "an idle mailbox was evicted");
    door.post(mailbox("woken"), "late").expect(202);
    assertEquals("late", woken.receive().expect(200).body());
  }

  private String mailbox(String purpose) {
    return DoorClient.mailbox(purpose + " " + name);
  }

  @Override
  public void close() throws IOException {
    ending.close();
    woken.close();
  }
}
