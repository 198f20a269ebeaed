package org.svcmailbox.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final Duration LASTING = Duration.ofSeconds(3);
  private static final Load RECEIVE = new Load(Work.RECV, 1, 1, 0);

  /** Receives at a rate, cold at first, until nothing is left or the time is over. */
  private static final class Receiver implements Contestant {
    private final List<Integer> filled = new ArrayList<>();
    private double perSecond;

    @Override
    public String name() {
      return "receiver";
    }

    @Override
    public String title() {
      return name();
    }

    @Override
    public String durability() {
      return "none";
    }

    @Override
    public boolean can(Load load) {
      return true;
    }

    @Override
    public void start(Path directory, Path output) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void create(String queue) {}

    @Override
    public void fill(String queue, int messages) {
      filled.add(messages);
    }

    @Override
    public Outcome run(Load load, String queue, Duration lasting) {
      int there = filled.get(filled.size() - 1);
      double seconds = Math.min(lasting.toSeconds(), there / perSecond);
      return new Outcome((long) (seconds * perSecond), seconds, 1, 1, 1);
    }

    @Override
    public void delete(String queue) {}

    @Override
    public ProcessTree processes() {
      return new ProcessTree(ProcessHandle.current());
    }

    @Override
    public boolean isJvm() {
      return false;
    }

    @Override
    public void close() {}
  }

  @Test
  void whoReceivesFasterThanExpectedGetsMoreUntilItLasts() throws Exception {
    Receiver receiver = new Receiver();
    Turn turn = new Turn(100_000);
    receiver.perSecond = 200;
    turn.measure(receiver, RECEIVE, Turn.WARMING_UP, LASTING);
    receiver.perSecond = 4_000;
    Measured measured = turn.measure(receiver, RECEIVE, 1, LASTING);
    assertEquals(List.of(3_900, 780, 15_600), receiver.filled);
    assertEquals(3, measured.outcome().seconds());
  }

  @Test
  void whereMoreIsNotAllowedThereIsNoSecondTry() throws Exception {
    Receiver receiver = new Receiver();
    receiver.perSecond = 10_000;
    Measured measured = new Turn(2_000).measure(receiver, RECEIVE, 1, LASTING);
    assertEquals(List.of(2_000), receiver.filled);
    assertEquals(0.2, measured.outcome().seconds());
  }

  @Test
  void aSendIsNeverRepeated() throws Exception {
    Receiver sender = new Receiver();
    sender.filled.add(1);
    sender.perSecond = 10;
    new Turn(2_000).measure(sender, new Load(Work.SEND, 1, 1, 0), 1, LASTING);
    assertEquals(List.of(1), sender.filled);
  }
}
