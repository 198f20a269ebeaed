package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;

/** Two directories over one store, as two nodes have them. */
class SharedTopicsTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final TopicOverrides PLAIN = TopicOverrides.NONE.withReadyShards(4);

  private final TestTime time = new TestTime();
  private final InMemoryTopicStore store = new InMemoryTopicStore(id -> {});
  private final List<TopicName> queues = new ArrayList<>();
  private boolean brokerFails;
  private final TopicDirectory a = directory(Map.of());
  private final TopicDirectory b = directory(Map.of());

  private TopicDirectory directory(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("mailbox.topics.auto_create", "false");
    TopicDirectory made =
        new TopicDirectory(
            store,
            time,
            new TopicDirectory.Queues() {
              @Override
              public void requireAnswer() {}

              @Override
              public void create(Topic topic) {
                if (brokerFails) {
                  throw new UnavailableException("the broker is away");
                }
                queues.add(topic.name());
              }

              @Override
              public void delete(Topic topic) {
                throw new AssertionError("nodes delete no topics");
              }

              @Override
              public void delete(Topic topic, BooleanSupplier isEnding) {
                throw new AssertionError("no node deletes a topic");
              }

              @Override
              public void forget(TopicName name) {
                throw new AssertionError("no node deletes a topic");
              }

              @Override
              public void delete(ShardId shard) {
                throw new AssertionError("nodes close no shards");
              }
            },
            SettingsLoader.load(key -> Optional.ofNullable(settings.get(key)), Set.of(), 1));
    made.load(0);
    return made;
  }

  /** The topics that the next look finds changed. */
  private static Set<TopicName> follow(TopicDirectory node) {
    node.follow();
    return node.takeStale();
  }

  private static void look(TopicDirectory node) {
    Set<TopicName> unused = follow(node);
  }

  private static boolean put(TopicDirectory at, TopicName name, TopicOverrides overrides) {
    return at.put(name, overrides, known -> {});
  }

  private static TopicOverrides attempts(int most) {
    return new TopicOverrides(4, null, null, most, null, null, null, RetentionOverrides.NONE);
  }

  @Test
  void aTopicOfTheOtherNodeIsFoundByTheNextLook() {
    assertTrue(put(a, ORDERS, PLAIN));
    assertEquals(Optional.empty(), b.find(ORDERS));
    assertEquals(Set.of(ORDERS), follow(b));
    assertEquals(a.find(ORDERS), b.find(ORDERS));
    assertEquals(a.version(ORDERS), b.version(ORDERS));
    assertEquals(Set.of(), follow(b));
    assertEquals(Set.of(), follow(a), "its own change is not new to it");
    assertEquals(a.version(), b.version());
  }

  @Test
  void aChangeThatACallMetFirstIsStaleAllTheSame() {
    assertTrue(put(a, ORDERS, PLAIN));
    assertEquals(Set.of(ORDERS), follow(b));
    a.pause(ORDERS, true);
    assertThrows(
        IllegalStateException.class,
        () ->
            b.change(
                ORDERS,
                known -> {
                  throw new IllegalStateException("the condition does not hold");
                }));
    assertTrue(b.isPaused(ORDERS));
    assertEquals(Set.of(ORDERS), follow(b), "its workers do not know it");
    b.stayStale(Set.of(ORDERS));
    assertEquals(Set.of(ORDERS), follow(b), "they could not be told");
  }

  @Test
  void whatWasThereAtTheStartIsNotStale() {
    assertTrue(put(a, ORDERS, PLAIN));
    TopicDirectory c = directory(Map.of());
    assertEquals(a.find(ORDERS), c.find(ORDERS));
    assertEquals(Set.of(), follow(c));
  }

  @Test
  void aNameIsLookedUpBeforeItIsMissing() {
    assertThrows(NotFoundException.class, () -> b.existing(ORDERS));
    assertTrue(put(a, ORDERS, PLAIN));
    assertEquals(a.existing(ORDERS), b.existing(ORDERS));
    assertEquals(a.existing(ORDERS), directory(Map.of()).require(ORDERS));
  }

  @Test
  void aHundredNamesAreLookedUpInASecond() {
    for (int i = 0; i < SharedTopics.LOOKUPS; i++) {
      TopicName unknown = new TopicName("no" + i);
      assertThrows(NotFoundException.class, () -> b.require(unknown));
    }
    assertTrue(put(a, ORDERS, PLAIN));
    assertThrows(NotFoundException.class, () -> b.require(ORDERS));
    time.advance(Duration.ofSeconds(1));
    assertEquals(a.existing(ORDERS), b.require(ORDERS));
  }

  @Test
  void aNameThatIsUnknownIsNotMissingWhileTheDatabaseIsAway() {
    store.away(true);
    assertThrows(UnavailableException.class, () -> b.existing(ORDERS));
    assertThrows(UnavailableException.class, b::follow);
  }

  @Test
  void aTopicThatTheOtherNodeMadeIsChangedAndNotMadeAgain() {
    assertTrue(put(a, ORDERS, attempts(3)));
    assertFalse(put(b, ORDERS, attempts(4)));
    assertEquals(1, store.all().size());
    assertEquals(4, b.existing(ORDERS).settings().maxAttempts());
    b.pause(ORDERS, true);
    a.change(ORDERS, known -> attempts(5));
    assertTrue(a.isPaused(ORDERS), "the change builds on the pause");
    look(b);
    assertEquals(a.find(ORDERS), b.find(ORDERS));
  }

  @Test
  void aChangeThatAnotherNodeOvertookIsRefusedAndChangesNothing() {
    assertTrue(put(a, ORDERS, attempts(3)));
    TopicChangingException refused =
        assertThrows(
            TopicChangingException.class,
            () ->
                a.change(
                    ORDERS,
                    known -> {
                      assertFalse(put(b, ORDERS, attempts(4)));
                      return attempts(5);
                    }));
    assertEquals("topic_changing", refused.reason());
    assertEquals(4, store.row(ORDERS).orElseThrow().topic().state().overrides().maxAttempts());
    assertEquals(3, a.existing(ORDERS).settings().maxAttempts());
    a.change(ORDERS, known -> attempts(5));
    assertEquals(5, a.existing(ORDERS).settings().maxAttempts());
  }

  @Test
  void ofTwoCreationsAtOnceOneMakesTheTopic() {
    assertThrows(
        TopicChangingException.class,
        () -> a.put(ORDERS, attempts(3), none -> assertTrue(put(b, ORDERS, attempts(4)))));
    assertFalse(put(a, ORDERS, attempts(5)));
    look(b);
    assertEquals(a.find(ORDERS), b.find(ORDERS));
    assertEquals(1, a.namespaces().get(""), "each directory counts it once");
  }

  @Test
  void aCreationWithoutQueuesIsATopicWhoseRepetitionMakesThem() {
    brokerFails = true;
    assertThrows(UnavailableException.class, () -> put(a, ORDERS, PLAIN));
    assertEquals(List.of(), queues);
    look(b);
    assertEquals(a.find(ORDERS), b.find(ORDERS));
    brokerFails = false;
    assertFalse(put(b, ORDERS, PLAIN));
    assertEquals(List.of(ORDERS), queues);
  }

  @Test
  void aLostAnswerIsSeenByTheNextLook() {
    assertTrue(put(a, ORDERS, attempts(3)));
    store.failNext(Fault.AFTER);
    assertThrows(UnavailableException.class, () -> put(a, ORDERS, attempts(4)));
    assertEquals(3, a.existing(ORDERS).settings().maxAttempts());
    assertEquals(Set.of(ORDERS), follow(a));
    assertEquals(4, a.existing(ORDERS).settings().maxAttempts());
  }

  @Test
  void aBoundCountsTheTopicsOfTheOtherNode() {
    TopicDirectory few = directory(Map.of("mailbox.topics.max", "1"));
    assertTrue(put(a, ORDERS, PLAIN));
    look(few);
    assertThrows(SaturatedException.class, () -> put(few, new TopicName("bills"), PLAIN));
    assertFalse(put(few, ORDERS, PLAIN));
  }

  @Test
  void whatAFallenBackDatabaseLostIsWrittenAgainOnce() {
    assertTrue(put(a, ORDERS, attempts(3)));
    look(b);
    InMemoryTopicStore old = store.copy();
    assertTrue(put(a, new TopicName("bills"), PLAIN));
    assertFalse(put(a, ORDERS, attempts(4)));
    look(b);
    store.replaceBy(old);

    look(a);
    assertEquals(2, store.all().size());
    assertEquals(4, store.row(ORDERS).orElseThrow().topic().state().overrides().maxAttempts());
    long version = store.after(Long.MAX_VALUE).version();
    assertEquals(Set.of(), follow(b), "nothing is new to it");
    look(a);
    assertEquals(version, store.after(Long.MAX_VALUE).version(), "written once");
    assertEquals(version, b.version());
    assertFalse(put(b, ORDERS, attempts(5)));
    assertEquals(Set.of(ORDERS), follow(a));
  }

  @Test
  void aFallbackBehindWhichOthersHaveChangedMoreIsFoundInDoubt() {
    assertTrue(put(a, ORDERS, attempts(3)));
    InMemoryTopicStore old = store.copy();
    TopicName lost = new TopicName("lost");
    assertTrue(put(a, lost, PLAIN));
    store.replaceBy(old);
    TopicDirectory c = directory(Map.of());
    assertFalse(put(c, ORDERS, attempts(4)));
    assertEquals(a.version(lost), store.after(Long.MAX_VALUE).version(), "the counter caught up");

    a.restore(Set.of());
    assertEquals(Set.of(ORDERS), follow(a));
    assertEquals(4, a.existing(ORDERS).settings().maxAttempts());
    assertEquals(Set.of(lost), follow(c));
    assertEquals(a.find(lost), c.find(lost));
  }
}
