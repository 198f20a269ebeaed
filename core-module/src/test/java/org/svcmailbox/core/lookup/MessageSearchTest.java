package org.svcmailbox.core.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;

class MessageSearchTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final LedgerPlace ENTRY = new LedgerPlace(new ShardId(ORDERS, 3), 17);
  private static final MsgId ID = MsgId.create(7, Instant.EPOCH.plusSeconds(5));

  /** Where a message is, and where it may go from there. */
  private enum Place {
    SCHEDULED,
    READY,
    PREFETCHED,
    LEASED,
    DEAD,
    GONE
  }

  private static final Map<Place, Set<Place>> MOVES =
      Map.of(
          Place.SCHEDULED, Set.of(Place.READY, Place.GONE),
          Place.READY, Set.of(Place.PREFETCHED, Place.DEAD, Place.GONE),
          Place.PREFETCHED, Set.of(Place.READY, Place.LEASED, Place.DEAD),
          Place.LEASED, Set.of(Place.READY, Place.SCHEDULED, Place.DEAD, Place.GONE),
          Place.DEAD, Set.of(Place.READY, Place.GONE),
          Place.GONE, Set.of());

  private static Sighting sighting(Whereabouts where) {
    Fact state = Fact.recorded(Fact.Kind.READY, null, 1, "");
    return new Sighting(where, ORDERS, null, MessageHistory.NONE, null, state);
  }

  /** A message that is in one place of a list at each look, and in its last one afterwards. */
  private static final class Moving implements MessageSearch.Places {
    private final List<Place> path;
    private int looks;

    Moving(List<Place> path) {
      this.path = path;
    }

    Place place() {
      return path.get(Math.min(looks, path.size() - 1));
    }

    private Look<Sighting> look(Map<Place, Whereabouts> seen) {
      Whereabouts where = seen.get(place());
      looks++;
      return Look.of(where == null ? null : sighting(where));
    }

    @Override
    public Look<Sighting> held() {
      return look(Map.of(Place.PREFETCHED, Whereabouts.READY, Place.LEASED, Whereabouts.LEASED));
    }

    @Override
    public Look<Sighting> letters() {
      return look(Map.of(Place.DEAD, Whereabouts.DEAD));
    }

    @Override
    public Look<Sighting> queues() {
      return look(Map.of(Place.READY, Whereabouts.READY, Place.SCHEDULED, Whereabouts.SCHEDULED));
    }

    @Override
    public Look<LedgerPlace> ledgers(@Nullable Sighting seen) {
      looks++;
      return Look.of(ENTRY);
    }

    @Override
    public boolean isOver() {
      return false;
    }
  }

  private static Biography judge(MessageSearch.Found found, @Nullable Fact acked) {
    return new Verdict(ID, found, acked, ORDERS, true, true).biography(Instant.EPOCH);
  }

  /** All paths over nine looks with at most {@code moves} moves, each from one look to another. */
  private static List<List<Place>> paths(int moves) {
    List<List<Place>> paths = new ArrayList<>();
    for (Place begin : Place.values()) {
      extend(new ArrayList<>(List.of(begin)), moves, paths);
    }
    return paths;
  }

  private static void extend(List<Place> path, int moves, List<List<Place>> paths) {
    if (path.size() == 9) {
      paths.add(List.copyOf(path));
      return;
    }
    reachable(path.get(path.size() - 1), moves)
        .forEach(
            (next, left) -> {
              path.add(next);
              extend(path, left, paths);
              path.remove(path.size() - 1);
            });
  }

  /** The places within some moves, each with the moves that are left. */
  private static Map<Place, Integer> reachable(Place from, int moves) {
    Map<Place, Integer> reached = new EnumMap<>(Place.class);
    List<Place> front = List.of(from);
    for (int left = moves; left >= 0 && !front.isEmpty(); left--) {
      List<Place> next = new ArrayList<>();
      for (Place place : front) {
        if (reached.putIfAbsent(place, left) == null) {
          next.addAll(MOVES.getOrDefault(place, Set.of()));
        }
      }
      front = next;
    }
    return reached;
  }

  @Test
  void aMessageThatMovesIsNotCalledGone() {
    List<List<Place>> paths = paths(3);
    assertTrue(paths.size() > 1_000, () -> paths.size() + " paths");
    int gone = 0;
    for (List<Place> path : paths) {
      Moving message = new Moving(path);
      Biography told = judge(MessageSearch.run(message, true), null);
      assertNotEquals(Whereabouts.UNKNOWN, told.now(), path::toString);
      if (told.now() == Whereabouts.GONE) {
        assertEquals(Place.GONE, path.get(path.size() - 1), path::toString);
        gone++;
      }
    }
    assertTrue(gone > 0, "none was gone");
  }

  @Test
  void aMessageThatIsGoneFromTheBeginningIsCalledGone() {
    Biography told = judge(MessageSearch.run(new Moving(List.of(Place.GONE)), true), null);
    assertEquals(Whereabouts.GONE, told.now());
    assertTrue(told.isComplete());
    Fact last = told.facts().get(told.facts().size() - 1);
    assertEquals(Fact.Kind.GONE, last.kind());
    assertFalse(last.recorded());
  }

  @Test
  void aLeaseCountsMoreThanAListOfAQueue() {
    List<Place> path = List.of(Place.READY, Place.READY, Place.READY, Place.LEASED);
    assertEquals(Whereabouts.LEASED, judge(MessageSearch.run(new Moving(path), true), null).now());
  }

  private enum Trouble {
    WORKER,
    LETTERS,
    QUEUES,
    LEDGERS,
    LONG_QUEUE,
    TIME,
    MANY_SHARDS
  }

  /** A message that is gone, while something is wrong. */
  private record Troubled(Trouble trouble) implements MessageSearch.Places {
    private <T> Look<T> unless(Trouble one, Look<T> look) {
      if (trouble == one) {
        throw new UnavailableException("away on request");
      }
      return look;
    }

    @Override
    public Look<Sighting> held() {
      return unless(Trouble.WORKER, Look.of(null));
    }

    @Override
    public Look<Sighting> letters() {
      return unless(Trouble.LETTERS, Look.of(null));
    }

    @Override
    public Look<Sighting> queues() {
      return unless(Trouble.QUEUES, trouble == Trouble.LONG_QUEUE ? Look.partial() : Look.of(null));
    }

    @Override
    public Look<LedgerPlace> ledgers(@Nullable Sighting seen) {
      return unless(Trouble.LEDGERS, Look.of(ENTRY));
    }

    @Override
    public boolean isOver() {
      return trouble == Trouble.TIME;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsInferredUnlessEverythingWasSeen(Trouble trouble) {
    MessageSearch.Found found =
        MessageSearch.run(new Troubled(trouble), trouble != Trouble.MANY_SHARDS);
    Biography told = judge(found, null);
    assertEquals(Whereabouts.UNKNOWN, told.now());
    assertFalse(told.isComplete());
    assertFalse(new Verdict(ID, found, null, null, true, true).isOfNothing());
    assertEquals(
        List.of(), told.facts().stream().filter(fact -> fact.kind() == Fact.Kind.GONE).toList());
  }

  @Test
  void anAcknowledgementThatAWorkerRemembersIsEnough() {
    Fact acked = new Fact(Fact.Kind.ACKED, null, true, null, "n", "");
    Biography told = judge(MessageSearch.run(new Troubled(Trouble.LEDGERS), true), acked);
    assertEquals(Whereabouts.GONE, told.now());
    assertTrue(told.facts().contains(acked));
  }

  @Test
  void whatIsNowhereIsNothing() {
    MessageSearch.Found nothing = new MessageSearch.Found(null, null, true);
    assertTrue(new Verdict(ID, nothing, null, null, true, true).isOfNothing());
  }

  @Test
  void holdersAndReasonsAreForThoseWhoMayKnow() {
    Fact state = new Fact(Fact.Kind.DEAD, Instant.EPOCH, true, 2, "nonce", "secret");
    Sighting dead = new Sighting(Whereabouts.DEAD, ORDERS, null, MessageHistory.NONE, null, state);
    Verdict verdict =
        new Verdict(ID, new MessageSearch.Found(dead, null, true), null, ORDERS, false, false);
    Fact told = verdict.biography(Instant.EPOCH).facts().get(1);
    assertNull(told.by());
    assertEquals("", told.note());
    assertEquals(state.at(), told.at());
    Fact sent = verdict.biography(Instant.EPOCH).facts().get(0);
    assertEquals(ID.createdAt(), sent.at());
    assertFalse(sent.recorded());
  }
}
