package org.svcmailbox.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientSoakMinuteTest {
  private static final int MEBI = 1 << 20;

  private static List<ClientSoakMinute> minutes(int count) {
    List<ClientSoakMinute> minutes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      minutes.add(new ClientSoakMinute(1_000, 1, 20 * MEBI, 20, 100));
    }
    return minutes;
  }

  /** The growth of a run whose second half repeats this minute. */
  private static List<String> grown(ClientSoakMinute late) {
    List<ClientSoakMinute> minutes = minutes(ClientSoakMinute.WARM + 4);
    minutes.addAll(Collections.nCopies(4, late));
    return ClientSoakMinute.grown(minutes);
  }

  @Test
  void growthWithinItsLimitsIsIgnored() {
    assertEquals(List.of(), grown(new ClientSoakMinute(9_999, 99, 21 * MEBI, 22, 104)));
  }

  @Test
  void eachFigureThatGrewIsNamed() {
    assertEquals(
        List.of("22,020,097 bytes of heap, after 20,971,520"),
        grown(new ClientSoakMinute(1_000, 1, 21 * MEBI + 1, 20, 100)));
    assertEquals(
        List.of("23 threads, after 20"), grown(new ClientSoakMinute(1_000, 1, MEBI, 23, 100)));
    assertEquals(
        List.of("105 open files, after 100"), grown(new ClientSoakMinute(1_000, 1, MEBI, 20, 105)));
  }

  @Test
  void aTemporaryPeakIsNoGrowth() {
    List<ClientSoakMinute> minutes = minutes(9);
    minutes.add(8, new ClientSoakMinute(1_000, 1, 40 * MEBI, 40, 600));
    assertEquals(List.of(), ClientSoakMinute.grown(minutes));
  }

  @Test
  void growthDuringTheWarmUpIsIgnored() {
    List<ClientSoakMinute> minutes = minutes(8);
    minutes.add(0, new ClientSoakMinute(0, 0, 0, 1, 1));
    minutes.add(1, new ClientSoakMinute(0, 0, 99 * MEBI, 99, 999));
    assertEquals(List.of(), ClientSoakMinute.grown(minutes));
  }

  @Test
  void aShortRunIsRefused() {
    assertEquals(List.of("3 minutes are too few to judge"), ClientSoakMinute.grown(minutes(3)));
    assertEquals(List.of(), ClientSoakMinute.grown(minutes(4)));
  }
}
