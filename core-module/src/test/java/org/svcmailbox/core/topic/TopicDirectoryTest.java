package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.test.log.OwnLog;

/** A topic whose queues the broker makes in part, before it fails. */
class TopicDirectoryTest {
  private static final TopicName ORDERS = new TopicName("orders");

  /** An operator's own setting, other than the service's. */
  private static final TopicOverrides PUT = TopicOverrides.NONE.withReadyShards(7);

  private final InMemoryTopicStore store = new InMemoryTopicStore(id -> {});
  private final BrokenQueues queues = new BrokenQueues();
  private final TopicDirectory topics = directory();
  private final ExecutorService pool = Executors.newFixedThreadPool(8);
  private final OwnLog log = new OwnLog(TopicDirectory.class.getName());

  private static final class BrokenQueues implements TopicDirectory.Queues {
    private final Map<TopicName, TopicQueues> there = Collections.synchronizedMap(new TreeMap<>());
    private boolean failsToCreate;
    private boolean failsToDelete;
    private boolean isAway;
    private Runnable onCreate = () -> {};

    @Override
    public void requireAnswer() {
      requireWhole(isAway);
    }

    @Override
    public void create(Topic topic) {
      onCreate.run();
      there.put(topic.name(), TopicQueues.marked(topic.id()).and(TopicQueues.of(0)));
      requireWhole(failsToCreate);
      there.merge(topic.name(), TopicQueues.of(topic.state().liveShards() - 1), TopicQueues::and);
    }

    @Override
    public void delete(Topic topic) {
      requireWhole(failsToDelete);
      there.remove(topic.name());
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
      requireWhole(failsToDelete);
      Integer id = there.getOrDefault(shard.topic(), TopicQueues.NONE).id();
      there.put(shard.topic(), id == null ? TopicQueues.NONE : TopicQueues.marked(id));
    }

    private static void requireWhole(boolean fails) {
      if (fails) {
        throw new UnavailableException("told to fail");
      }
    }
  }

  @AfterEach
  void stop() {
    log.close();
    pool.shutdown();
  }

  @Test
  void aDeletionThatNodesBeganIsFinishedByAServerThatIsAlone() {
    TopicName name = new TopicName("ended");
    SharedTopicStore.Row row =
        store.add(name, TopicState.fresh(TopicOverrides.NONE, 1), 0).orElseThrow();
    assertTrue(store.end(row.topic(), row.version()).isPresent());
    store.emptied(row.topic().id());
    new TopicRecovery(store, Map.of()).run(Set.of(), true);
    TopicDirectory alone = directory();
    alone.load(0);
    assertEquals(List.of(name), alone.unfinished());
    assertEquals(List.of(), alone.openShards(name));
    alone.delete(name, unused -> {});
    assertEquals(List.of(), alone.unfinished());
    assertEquals(List.of(), store.all());
  }

  private TopicDirectory directory() {
    return directory(Map.of());
  }

  private TopicDirectory directory(Map<String, String> settings) {
    return new TopicDirectory(
        store,
        queues,
        SettingsLoader.load(key -> Optional.ofNullable(settings.get(key)), Set.of(), 1));
  }

  private void failToMake() {
    queues.failsToCreate = true;
    assertThrows(
        UnavailableException.class, () -> topics.put(ORDERS, PUT, Precondition.NONE::check));
    queues.failsToCreate = false;
    assertEquals(Optional.empty(), topics.find(ORDERS));
  }

  private void restore() {
    topics.restore(Set.of());
    assertEquals(List.of(), log.lines(Level.WARNING));
  }

  /** Another process, on what is there. */
  private Optional<Topic> findAfterAStart() {
    TopicRecovery recovery = new TopicRecovery(store, queues.there);
    recovery.run(Set.of(), /* renews= */ true);
    TopicDirectory next = directory();
    next.load(recovery.highestId());
    return next.find(ORDERS);
  }

  @Test
  void nameThatNoPathCanHaveIsNoNewTopics() {
    for (String dots : List.of(".", "..")) {
      TopicName name = new TopicName(dots);
      assertThrows(SchemaException.class, () -> topics.put(name, PUT, Precondition.NONE::check));
      assertThrows(SchemaException.class, () -> topics.require(name));
    }
    assertEquals(List.of(), store.all());
    assertTrue(topics.put(new TopicName("..."), PUT, Precondition.NONE::check));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.%d", "a.b.%d", "%d"})
  void aNamespaceHasAShareOfTheTopicsAndOthersTheRest(String names) {
    TopicDirectory few = directory(Map.of("mailbox.topics.max", "7"));
    for (int i = 0; i < 5; i++) {
      Topic unused = few.require(new TopicName(names.formatted(i)));
    }
    TopicName sixth = new TopicName(names.formatted(6));
    SaturatedException share = assertThrows(SaturatedException.class, () -> few.require(sixth));
    assertEquals("topics_max", share.reason());
    assertTrue(share.toString().contains("have their share"), share::toString);
    assertTrue(few.put(new TopicName("b.1"), PUT, Precondition.NONE::check));
    assertTrue(few.put(new TopicName("c.1"), PUT, Precondition.NONE::check));
    SaturatedException full =
        assertThrows(
            SaturatedException.class,
            () -> few.put(new TopicName("d.1"), PUT, Precondition.NONE::check));
    assertTrue(full.toString().contains("there are 7 topics"), full::toString);
  }

  /** Each creation waits inside the queues until all have begun or were refused. */
  @Test
  void topicsThatAreMadeAtOnceKeepTheBound() {
    TopicDirectory few = directory(Map.of("mailbox.topics.max", "4"));
    CountDownLatch decided = new CountDownLatch(8);
    queues.onCreate = () -> awaitAll(decided);
    List<CompletableFuture<Boolean>> all =
        IntStream.range(0, 8)
            .mapToObj(i -> new TopicName("n" + i + ".a"))
            .map(name -> CompletableFuture.supplyAsync(() -> isMade(few, name, decided), pool))
            .toList();
    assertEquals(4, all.stream().filter(CompletableFuture::join).count());
    assertEquals(4, few.size());
  }

  private static boolean isMade(TopicDirectory few, TopicName name, CountDownLatch decided) {
    try {
      return few.put(name, PUT, Precondition.NONE::check);
    } catch (SaturatedException e) {
      decided.countDown();
      return false;
    }
  }

  private static void awaitAll(CountDownLatch decided) {
    decided.countDown();
    try {
      assertTrue(decided.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCreationThatFailedAndATopicThatWasDeletedLeaveTheirRoom() {
    TopicDirectory few = directory(Map.of("mailbox.topics.max", "1"));
    queues.failsToCreate = true;
    assertThrows(UnavailableException.class, () -> few.put(ORDERS, PUT, Precondition.NONE::check));
    queues.failsToCreate = false;
    assertEquals(Map.of(), few.namespaces());
    for (int i = 0; i < 3; i++) {
      assertTrue(few.put(ORDERS, PUT, Precondition.NONE::check));
      assertEquals(Map.of("", 1L), few.namespaces());
      few.delete(ORDERS, topic -> {});
    }
    assertEquals(Map.of(), few.namespaces());
  }

  @Test
  void aChangeBuildsOnWhatIsThere() {
    assertThrows(NotFoundException.class, () -> topics.change(ORDERS, known -> PUT));
    assertTrue(topics.put(ORDERS, PUT, Precondition.NONE::check));
    topics.change(
        ORDERS,
        known -> known.state().overrides().withReadyShards(known.settings().readyShards() + 1));
    assertEquals(8, topics.existing(ORDERS).settings().readyShards());
    assertThrows(
        SchemaException.class,
        () ->
            topics.change(
                ORDERS,
                own ->
                    new TopicOverrides(
                        3, 1_000_000, null, null, null, null, null, RetentionOverrides.NONE)));
    assertEquals(8, topics.existing(ORDERS).settings().readyShards());
    assertEquals(8, findAfterAStart().orElseThrow().settings().readyShards());
  }

  /** Each call of an outage asks for the topic again. */
  @Test
  void whileTheBrokerIsAwayNothingIsWritten() {
    queues.isAway = true;
    for (int i = 0; i < 100; i++) {
      assertThrows(
          UnavailableException.class, () -> topics.put(ORDERS, PUT, Precondition.NONE::check));
    }
    assertEquals(List.of(), store.all());
    queues.isAway = false;
    assertTrue(topics.put(ORDERS, PUT, Precondition.NONE::check));
    assertEquals(1, topics.existing(ORDERS).id());
  }

  @Test
  void aTopicWhoseCreationFailedDoesNotComeBack() {
    failToMake();
    restore();
    assertEquals(Optional.empty(), findAfterAStart());
  }

  /** Its caller does not know whether it is there, but knows its settings. */
  @Test
  void aTopicWhoseCreationCannotBeUndoneHasItsSettingsAfterAStart() {
    queues.failsToDelete = true;
    failToMake();
    restore();
    assertEquals(7, findAfterAStart().orElseThrow().settings().readyShards());
  }

  @Test
  void aTopicIsMadeOnceItsQueuesCanBe() {
    queues.failsToDelete = true;
    failToMake();
    assertTrue(topics.put(ORDERS, PUT, Precondition.NONE::check));
    restore();
    Topic made = topics.existing(ORDERS);
    assertEquals(List.of(made.id()), store.all().stream().map(row -> row.id()).toList());
    assertEquals(made, findAfterAStart().orElseThrow());
  }

  @Test
  void aDeletedTopicIsDeletedAgain() {
    assertTrue(topics.put(ORDERS, PUT, Precondition.NONE::check));
    InMemoryTopicStore earlier = store.copy();
    topics.delete(ORDERS, topic -> {});
    store.replaceBy(earlier);
    topics.restore(Set.of());
    assertEquals(1, log.lines(Level.WARNING).size());
    assertEquals(List.of(), store.all());
  }
}
