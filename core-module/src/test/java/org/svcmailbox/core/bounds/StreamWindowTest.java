package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.StreamWindow.Held;
import org.svcmailbox.core.bounds.StreamWindow.Passed;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;

class StreamWindowTest {
  private final CapacityLimit ofAll = new CapacityLimit("all", "full", 5, () -> 0);
  private final StreamWindow window = new StreamWindow(ofAll);
  private final AtomicInteger rooms = new AtomicInteger();
  private final List<Integer> givenBack = new ArrayList<>();

  private static Receipt receipt(int number) {
    return new Receipt("r-" + number);
  }

  private final class Message implements Held {
    private final int number;
    private final int size;

    Message(int number, int size) {
      this.number = number;
      this.size = size;
    }

    @Override
    public MsgId msgId() {
      return new MsgId(0, number);
    }

    @Override
    public Receipt receipt() {
      return StreamWindowTest.receipt(number);
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public void giveBack() {
      givenBack.add(number);
    }
  }

  private void open(int messages, long bytes) {
    window.open(messages, bytes, rooms::incrementAndGet);
  }

  private void enter(int number, int size) {
    assertTrue(window.tryEnter(new Message(number, size)));
  }

  private List<Long> passed() {
    return window.passed().stream().map(Passed::msgId).map(MsgId::low).toList();
  }

  @Test
  void messagesAndBytesTakeRoomUntilTheirLeasesEnd() {
    open(3, 100);
    assertEquals(3, window.roomMessages());
    enter(1, 60);
    assertEquals(2, window.roomMessages());
    assertEquals(40, window.roomBytes());
    enter(2, 50);
    assertEquals(0, window.roomMessages(), "the bytes are exceeded, once");
    assertEquals(0, window.roomBytes());
    window.left(receipt(1));
    assertEquals(2, window.roomMessages());
    assertEquals(50, window.roomBytes());
    assertEquals(1, rooms.get());
    window.left(receipt(1));
    assertEquals(1, rooms.get(), "a lease ends once");
    assertEquals(1, window.unsettled());
  }

  @Test
  void messagesOfNoBytesAreBoundByTheirNumber() {
    open(2, 1);
    enter(1, 0);
    enter(2, 0);
    assertEquals(0, window.roomMessages());
    window.left(receipt(2));
    assertEquals(1, window.roomMessages());
  }

  @Test
  void allStreamsTogetherHaveABound() {
    open(9, 1_000);
    for (int i = 1; i <= 5; i++) {
      enter(i, 1);
    }
    StreamWindow another = new StreamWindow(ofAll);
    another.open(9, 1_000, () -> {});
    assertFalse(another.tryEnter(new Message(6, 1)));
    assertEquals(0, another.unsettled());
    window.left(receipt(3));
    assertTrue(another.tryEnter(new Message(6, 1)));
    assertEquals(5, ofAll.count());
  }

  @Test
  void numbersFollowTheOrderOfPassing() {
    open(9, 1_000);
    enter(1, 1);
    enter(2, 1);
    enter(3, 1);
    assertEquals(1, window.pass(receipt(1)));
    window.left(receipt(2));
    assertEquals(0, window.pass(receipt(2)), "its lease has ended");
    assertEquals(2, window.pass(receipt(3)));
    assertEquals(0, window.pass(receipt(3)), "it was passed");
    assertEquals(List.of(1L, 3L), passed());
  }

  @Test
  void whatWasNotPassedIsGivenBackOnce() {
    open(9, 1_000);
    enter(1, 1);
    enter(2, 1);
    long unused = window.pass(receipt(1));
    assertEquals(1, window.giveBackUnpassed());
    assertEquals(List.of(2), givenBack);
    assertEquals(0, window.giveBackUnpassed());
    assertEquals(0, window.pass(receipt(2)));
    assertEquals(2, window.unsettled(), "until the worker has it");
  }

  @Test
  void aResumedStreamKeepsWhatTheClientGotAndGoesOnAfterIt() {
    open(9, 1_000);
    for (int i = 1; i <= 4; i++) {
      enter(i, 1);
      long unused = window.pass(receipt(i));
    }
    window.left(receipt(1));
    assertEquals(2, window.resume(2));
    assertEquals(List.of(3, 4), givenBack);
    assertEquals(List.of(2L), passed());
    givenBack.forEach(number -> window.left(receipt(number)));
    enter(5, 1);
    assertEquals(3, window.pass(receipt(5)));
  }

  @Test
  void aClientThatClaimsMoreThanWasPassedGetsNoLargerNumbers() {
    open(9, 1_000);
    enter(1, 1);
    long unused = window.pass(receipt(1));
    assertEquals(0, window.resume(1_000));
    enter(2, 1);
    assertEquals(2, window.pass(receipt(2)));
  }

  @Test
  void anotherStreamHasItsOwnSizeOfTheWindow() {
    open(9, 1_000);
    enter(1, 1);
    enter(2, 1);
    window.open(1, 10, () -> {});
    assertEquals(0, window.roomMessages());
    window.left(receipt(1));
    assertEquals(0, window.roomMessages());
    window.left(receipt(2));
    assertEquals(1, window.roomMessages());
    assertEquals(0, rooms.get());
  }
}
