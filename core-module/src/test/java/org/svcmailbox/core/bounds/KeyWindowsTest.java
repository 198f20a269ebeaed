package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys count until their window is over, for a sixteenth of it longer at most. */
class KeyWindowsTest {
  private final KeyWindows<String> windows = new KeyWindows<>();

  /** Milliseconds: the window, and when its key is still counted and is not any more. */
  @ParameterizedTest
  @CsvSource({"1, 0, 1", "15, 14, 15", "1000, 999, 1062", "300000, 299999, 318750"})
  void aKeyCountsForItsWindow(long window, long last, long first) {
    windows.add("orders", 1, 0, window);
    assertEquals(1, windows.of("orders", last));
    assertEquals(0, windows.of("orders", first));
  }

  @Test
  void holdersAreCountedApartAndForgottenOnceTheyHaveNothing() {
    windows.add("orders", 3, 0, 100);
    windows.add("letters", 1, 0, 1_000);
    assertEquals(
        List.of(new Shares.Part<>("orders", 3L), new Shares.Part<>("letters", 1L)),
        windows.largest(5, 50));
    assertEquals(List.of(new Shares.Part<>("orders", 3L)), windows.largest(1, 50));
    windows.prune(500);
    assertEquals(1, windows.size());
    windows.prune(2_000);
    assertEquals(0, windows.size());
  }

  /** The ends of a key's window, asked of a model that keeps each key. */
  @Test
  void itIsNeverLessThanTheKeysAndNeverMoreThanASixteenthLater() {
    Random random = new Random(38);
    List<long[]> keys = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += random.nextInt(50);
      long window = 1L + random.nextInt(10_000);
      long at = now;
      windows.add("orders", 1, at, at + window);
      keys.add(new long[] {at + window, at + window + (window + 15) / 16});
      long least = keys.stream().filter(key -> key[0] > at).count();
      long most = keys.stream().filter(key -> key[1] > at).count();
      long counted = windows.of("orders", at);
      assertTrue(least <= counted && counted <= most, least + " " + counted + " " + most);
    }
  }
}
