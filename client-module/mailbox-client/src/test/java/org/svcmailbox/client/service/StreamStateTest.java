package org.svcmailbox.client.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamStateTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int LARGEST = 1 << 20;

  /** Messages that are their own receipts, with as many bytes as the number behind a colon says. */
  private static final MessageView<String> FORMAT =
      new MessageView<>() {
        @Override
        public String receipt(String message) {
          return message;
        }

        @Override
        public int bytes(String message) {
          return message.contains(":")
              ? Integer.parseInt(message.substring(message.indexOf(':') + 1))
              : message.length();
        }
      };

  private final StreamState<String> state = new StreamState<>(FORMAT, LARGEST, false);

  private void begin(int window) {
    state.begin(new StreamTerms(LEASE, window, null));
    state.opened("s");
  }

  private static long nanos(int millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void messagesAreHandedOutInTheirOrderAndOnce() throws IOException {
    begin(3);
    state.add(1, "a", 0);
    state.add(2, "b", 0);
    state.add(3, "c", 0);
    assertEquals(List.of("a", "b"), state.take(2, 0));
    assertEquals(List.of("c"), state.take(2, 0));
    assertEquals(List.of(), state.take(2, 0));
  }

  @Test
  void theWindowIsFullOfUnsettledMessages() throws IOException {
    begin(2);
    state.add(1, "a", 0);
    assertFalse(state.isFull());
    state.add(2, "b", 0);
    assertTrue(state.isFull());
    state.take(2, 0);
    assertTrue(state.isFull());
    assertTrue(state.settled("a"));
    assertFalse(state.isFull());
    assertFalse(state.settled("a"), "a second time");
    assertFalse(state.settled("b"), "there was room");
    assertEquals(0, state.held());
  }

  /** The service has seen the end of a lease that nobody told of here. */
  @Test
  void anotherMessageThanFitsTakesThePlaceOfTheOldest() throws IOException {
    begin(1);
    state.add(1, "a", 0);
    state.take(1, 0);
    state.add(2, "b", 0);
    assertEquals(List.of("b"), state.take(1, 0));
    assertEquals(1, state.held());
    assertFalse(state.settled("a"));
    assertTrue(state.settled("b"));
  }

  @Test
  void theWindowIsFullOfBytes() throws IOException {
    begin(100);
    int seven = 7 << 20;
    state.add(1, "a:" + seven, 0);
    assertFalse(state.isFull());
    state.add(2, "b:1", 0);
    assertTrue(state.isFull());
    state.take(2, 0);
    assertTrue(state.settled("b:1"));
  }

  @Test
  void noMoreIsWantedThanTheWindowHolds() throws IOException {
    begin(2);
    state.add(1, "a", 0);
    assertTrue(state.wantsMore());
    state.add(2, "b", 0);
    assertFalse(state.wantsMore());
    state.take(1, 0);
    assertTrue(state.wantsMore());
    state.add(3, "c:" + ((8 << 20) + 1), 0);
    state.take(1, 0);
    assertFalse(state.wantsMore());
  }

  @ParameterizedTest
  @CsvSource({"60000, 250", "1200, 200", "250, 41"})
  void messagesMayLieUnreadForAPartOfTheirLease(int lease, int patience) throws IOException {
    state.begin(new StreamTerms(Duration.ofMillis(lease), 1, null));
    state.opened("s");
    assertEquals(patience, state.patience().toMillis());
    state.add(1, "a", 0);
    long stale = state.patience().toNanos() * 4;
    assertFalse(state.isStale(stale - 1));
    assertTrue(state.isStale(stale));
    assertEquals(stale, state.staleAt());
    assertEquals(List.of(), state.take(1, stale));
    assertEquals(List.of("a"), state.take(1, stale - 1));
    assertFalse(state.isStale(stale));
  }

  @Test
  void aStaleMessageHidesFresherOnes() throws IOException {
    begin(2);
    state.add(1, "a", 0);
    state.add(2, "b", nanos(900));
    assertEquals(List.of(), state.take(2, nanos(1_000)));
    assertEquals(0, end().last());
  }

  private StreamTerms.Resume end() {
    StreamTerms.Resume resume = state.end(7);
    if (resume == null) {
      throw new AssertionError("nothing to resume");
    }
    return resume;
  }

  @Test
  void aStreamIsResumedAfterTheLastMessageThatWasHandedOut() throws IOException {
    begin(3);
    state.add(1, "a", 0);
    state.add(2, "b", 0);
    state.take(1, 0);
    assertEquals(new StreamTerms.Resume("s", 1, 7), end());
    assertFalse(state.hasUnread());

    state.begin(new StreamTerms(LEASE, 3, new StreamTerms.Resume("s", 1, 7)));
    state.opened("t");
    assertEquals(1, state.held(), "it is in the new window");
    assertEquals(new StreamTerms.Resume("t", 1, 7), end());
    state.add(2, "b", 0);
    state.take(1, 0);
    assertEquals(2, end().last());

    state.begin(new StreamTerms(LEASE, 3, null));
    assertEquals(0, state.held(), "the service does not count it");
    assertNull(state.end(7), "it was never open");
  }

  @ParameterizedTest
  @CsvSource({"0", "2", "3"})
  void aMessageOutOfTurnIsRefused(long n) throws IOException {
    begin(9);
    state.add(3, "a", 0);
    assertThrows(IOException.class, () -> state.add(n, "b", 0));
    assertEquals(List.of("a"), state.take(9, 0));
  }

  @Test
  void aMessageBeforeTheOpeningIsRefused() {
    state.begin(new StreamTerms(LEASE, 1, null));
    assertThrows(IOException.class, () -> state.add(1, "a", 0));
  }

  private StreamState<String> byCredit() {
    StreamState<String> credited = new StreamState<>(FORMAT, LARGEST, true);
    credited.begin(new StreamTerms(LEASE, 1_000, null));
    credited.opened("s");
    return credited;
  }

  @Test
  void creditIsWhatReceivesAskForAndIsNeitherThereNorGranted() throws IOException {
    StreamState<String> credited = byCredit();
    assertFalse(credited.mayBring());
    assertEquals(3, credited.grant(3));
    assertTrue(credited.mayBring());
    assertEquals(0, credited.grant(3));
    assertEquals(2, credited.grant(5));
    credited.add(1, "a", 0);
    assertEquals(0, credited.grant(5), "one is there");
    credited.take(1, 0);
    assertEquals(1, credited.grant(5));
    assertEquals(0, credited.grant(1), "credit is not taken back");
    assertFalse(credited.isTooNarrow(1_001));
  }

  @Test
  void anotherStreamHasNoCredit() throws IOException {
    StreamState<String> credited = byCredit();
    assertEquals(2, credited.grant(2));
    credited.begin(new StreamTerms(LEASE, 1_000, null));
    assertFalse(credited.mayBring());
    assertEquals(2, credited.grant(2));
  }

  @Test
  void aWindowGrantsNothing() {
    begin(2);
    assertEquals(0, state.grant(5));
    assertTrue(state.mayBring());
    assertFalse(state.isTooNarrow(2));
    assertTrue(state.isTooNarrow(3));
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "2, 2", "1, 1", "0, 0", "7, 3"})
  void theServiceKnowsHowManyAreUnsettled(int unsettled, int held) throws IOException {
    begin(4);
    state.add(1, "a", 0);
    state.add(2, "b", 0);
    state.add(3, "c", 0);
    state.take(3, 0);
    state.unsettled(unsettled);
    assertEquals(held, state.held());
  }
}
