package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** A key's replay window, which begins before the server's end and is over after its start. */
final class ReplayWindow implements Scenario {
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("window");
  private final Duration window;
  private long sent;
  private String first = "";

  /**
   * @param start how long the server takes to start
   */
  ReplayWindow(MailboxClient client, Duration start) {
    this.client = client;
    this.window = Duration.ofSeconds(start.multipliedBy(2).plusSeconds(3).toSeconds());
  }

  @Override
  public String name() {
    return "the replay window goes on and ends";
  }

  @Override
  public void before() throws IOException {
    client.putTopic(topic, Fields.of("t_replay", window.toSeconds() + "s")).expect(201);
    sent = System.nanoTime();
    first = send().msgId();
  }

  @Override
  public void after() throws IOException {
    MailboxAnswer again = send();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - sent);
    assertTrue(elapsed.compareTo(window) < 0, () -> "the restart took too long: " + elapsed);
    assertTrue(again.duplicate());
    assertEquals(first, again.msgId());
    Deadline.in(window.plusSeconds(10))
        .await(() -> !send().duplicate(), () -> "the end of the window");
    assertTrue(System.nanoTime() - sent >= window.toNanos(), "the window was too short");
  }

  private MailboxAnswer send() throws IOException {
    return client.send(topic, "key", new byte[100]).expect(200);
  }
}
