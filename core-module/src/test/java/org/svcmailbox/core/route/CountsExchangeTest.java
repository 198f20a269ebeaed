package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.time.TestTime;

class CountsExchangeTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final NodeId B = new NodeId("b");

  private final TestTime time = new TestTime();
  private final PeerCounts counts = new PeerCounts(2, () -> Set.of(0), time);
  private final List<CountsQuestion> asked = new ArrayList<>();
  private CompletableFuture<byte[]> answer = new CompletableFuture<>();
  private final CountsExchange exchange =
      new CountsExchange(
          new InMemoryOwners(new NodeId("a"), 2, List.of(new NodeView(B, URI.create("b"), true))),
          (peer, frame) -> {
            asked.add(question(frame));
            return answer;
          },
          counts,
          time);

  private static CountsQuestion question(byte[] frame) {
    try {
      return CountsCodec.question(frame);
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  private void tick(Duration by) {
    time.advance(by);
    exchange.tick();
  }

  /** Ends the question that is under way; further ones wait for another answer. */
  private void answer(byte[] frame) {
    CompletableFuture<byte[]> last = answer;
    answer = new CompletableFuture<>();
    last.complete(frame);
  }

  private static byte[] answer(long version, boolean isLast, long ready) {
    return CountsCodec.encode(
        new CountsAnswer(
            5, version, isLast, Set.of(1), List.of(new Told(ORDERS, CountsLogTest.ready(ready)))));
  }

  @Test
  void aNodeIsAskedOnceASecondForWhatChanged() {
    exchange.tick();
    answer(answer(3, true, 7));
    assertEquals(7, counts.of(ORDERS).ready());
    tick(PeerCounts.EVERY.minusNanos(1));
    assertEquals(List.of(CountsQuestion.ALL), asked);
    tick(Duration.ofNanos(1));
    assertEquals(List.of(CountsQuestion.ALL, new CountsQuestion(5, 3)), asked);
  }

  @Test
  void theRestOfManyTopicsIsAskedForAtOnce() {
    exchange.tick();
    answer(answer(3, false, 7));
    assertEquals(List.of(CountsQuestion.ALL, new CountsQuestion(5, 3)), asked);
    answer(answer(4, true, 8));
    assertEquals(8, counts.of(ORDERS).ready());
    assertEquals(2, asked.size());
  }

  @Test
  void oneQuestionIsUnderWayAtATime() {
    exchange.tick();
    tick(PeerCounts.EVERY);
    assertEquals(1, asked.size());
    answer(answer(3, true, 7));
    tick(PeerCounts.EVERY);
    assertEquals(2, asked.size());
  }

  @Test
  void aLostAnswerIsAskedForAgain() {
    exchange.tick();
    answer.completeExceptionally(new IOException("lost"));
    answer = new CompletableFuture<>();
    tick(PeerCounts.EVERY);
    answer(new byte[] {1});
    tick(PeerCounts.EVERY);
    assertEquals(List.of(CountsQuestion.ALL, CountsQuestion.ALL, CountsQuestion.ALL), asked);
    assertEquals(List.of("b"), counts.counted().silent());
  }
}
