package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.concurrent.Together;

class PlacesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T03:00:00.123Z");

  @Test
  void aPlaceSaysWhenItWasGiven() {
    Place place = new Places(new Random(1)).next(NOW.plusNanos(999_999));
    assertEquals(NOW, place.diedAt());
    assertTrue(place.compareTo(Place.before(NOW)) >= 0);
    assertTrue(place.compareTo(Place.before(NOW.plusMillis(1))) < 0);
  }

  @Test
  void eachIsBehindTheOneBeforeAlsoWhenTheClockIsSetBack() {
    Places places = new Places(new Random(1));
    Place before = Place.FIRST;
    for (int i = 0; i < 10_000; i++) {
      Place next = places.next(i < 5_000 ? NOW.plusMillis(i / 10) : NOW.minusSeconds(60));
      assertTrue(next.compareTo(before) > 0, "place " + i);
      before = next;
    }
  }

  @Test
  void twoProcessesHardlyEverGiveTheSame() {
    long distinct =
        LongStream.range(0, 1_000)
            .map(seed -> new Places(new Random(seed)).next(NOW).bits())
            .distinct()
            .count();
    assertTrue(distinct > 990, "distinct places: " + distinct);
  }

  @Test
  void whatAnEarlierProcessGaveStaysInFront() {
    Place given = new Places(new Random(1)).next(NOW.plusSeconds(3600));
    Places places = new Places(new Random(2));
    places.startBehind(given);
    assertTrue(places.next(NOW).compareTo(given) > 0);
    places.startBehind(Place.FIRST);
    assertTrue(places.next(NOW).compareTo(given) > 0);
  }

  @Test
  void aPlaceIsSettledOnceEveryTransactionInFrontOfItIsOver() {
    Places places = new Places(new Random(1));
    Place first = places.open(NOW);
    Place second = places.open(NOW);
    Place end = places.next(NOW);
    Place later = places.open(NOW);
    assertFalse(places.isSettled(end));
    places.close(first);
    assertFalse(places.isSettled(end));
    places.close(second);
    assertTrue(places.isSettled(end));
    assertTrue(places.isSettled(first));
    assertFalse(places.isSettled(places.next(NOW)));
    places.close(later);
    assertTrue(places.isSettled(Place.LAST));
  }

  @Test
  void noTwoThreadsGetTheSame() throws Exception {
    Places places = new Places(new Random(1));
    Callable<List<Place>> some =
        () -> Stream.generate(() -> places.next(NOW)).limit(10_000).toList();
    List<List<Place>> all = Together.run(List.of(some, some, some, some));
    assertEquals(40_000, all.stream().flatMap(List::stream).distinct().count());
  }

  @Test
  void everyMomentThatCanBeAskedForHasAPlace() {
    assertEquals(Place.FIRST, Place.before(Instant.MIN));
    assertEquals(Place.FIRST, Place.before(Instant.EPOCH.minusSeconds(1)));
    assertEquals(Place.LAST, Place.before(Instant.MAX));
    Instant last = Instant.ofEpochMilli(Long.MAX_VALUE >>> Place.SHIFT);
    assertEquals(last, Place.before(last).diedAt());
    assertThrows(IllegalArgumentException.class, () -> new Place(-1));
  }
}
