package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** A key's replay window, which begins before the server's end and is over after its start. */
final class ReplayWindow implements Scenario {
  /** After the end of the server the machine may be slower than at its first start. */
  private static final int WINDOWS = 4;

  private final MailboxClient client;
  private final Duration shortest;
  private final List<Sent> sent = new ArrayList<>();

  /** A message of a topic with a window of its own. */
  private record Sent(String topic, Duration window, long at, String msgId) {
    Duration elapsed() {
      return Duration.ofNanos(System.nanoTime() - at);
    }
  }

  /**
   * @param start how long the server takes to start
   */
  ReplayWindow(MailboxClient client, Duration start) {
    this.client = client;
    this.shortest = Duration.ofSeconds(start.multipliedBy(2).plusSeconds(3).toSeconds());
  }

  @Override
  public String name() {
    return "the replay window goes on and ends";
  }

  @Override
  public void before() throws IOException {
    Duration window = shortest;
    for (int i = 0; i < WINDOWS; i++) {
      String topic = TestTopics.fresh("window");
      client.putTopic(topic, Fields.of("t_replay", window.toSeconds() + "s")).expect(201);
      long at = System.nanoTime();
      sent.add(new Sent(topic, window, at, send(topic).msgId()));
      window = window.multipliedBy(2);
    }
  }

  @Override
  public void after() throws IOException {
    for (Sent one : sent) {
      MailboxAnswer again = send(one.topic());
      if (one.elapsed().compareTo(one.window()) < 0) {
        assertTrue(again.duplicate());
        assertEquals(one.msgId(), again.msgId());
        assertEnds(one);
        return;
      }
    }
    throw new AssertionError("the restart took too long: " + sent.get(0).elapsed());
  }

  private void assertEnds(Sent one) {
    Deadline.in(one.window().plusSeconds(10))
        .await(() -> !send(one.topic()).duplicate(), () -> "the end of the window");
    assertTrue(one.elapsed().compareTo(one.window()) >= 0, "the window was too short");
  }

  private MailboxAnswer send(String topic) throws IOException {
    return client.send(topic, "key", new byte[100]).expect(200);
  }
}
