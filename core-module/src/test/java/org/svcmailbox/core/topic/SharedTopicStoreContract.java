package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.SharedTopicStore.Changes;
import org.svcmailbox.core.topic.SharedTopicStore.Row;
import org.svcmailbox.core.topic.SharedTopicStore.Stage;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;
import org.svcmailbox.test.concurrent.Together;

/** The contract of {@link SharedTopicStore}. Each rival has a thread of its own. */
public interface SharedTopicStoreContract {
  TopicName ORDERS = new TopicName("orders");
  TopicName BILLS = new TopicName("bills");
  TopicState PLAIN = TopicStoreContract.PLAIN;
  TopicState EVERYTHING = TopicStoreContract.EVERYTHING;

  /** Callers at the same time. */
  int RIVALS = 6;

  /** The store under test: empty at first, the same throughout a test. */
  TopicStore store();

  private long now() {
    return store().after(Long.MAX_VALUE).version();
  }

  private Row add(TopicName name) {
    return store().add(name, PLAIN, 0).orElseThrow();
  }

  private static StoredTopic with(Row row, TopicState state) {
    return new StoredTopic(row.topic().id(), row.topic().name(), state);
  }

  /** A state that tells its writer. */
  private static TopicState state(int writer) {
    return new TopicState(TopicOverrides.NONE, writer, false, 4, 4);
  }

  @Test
  default void aTopicThatIsAddedHasTheNextVersion() {
    long before = now();
    Row made = store().add(ORDERS, EVERYTHING, 40).orElseThrow();
    assertEquals(new StoredTopic(made.topic().id(), ORDERS, EVERYTHING), made.topic());
    assertTrue(made.topic().id() > 40, made::toString);
    assertTrue(made.version() > before, made::toString);
    assertEquals(Optional.of(made), store().row(ORDERS));
    assertEquals(Optional.empty(), store().row(BILLS));
    long removed = store().after(before).removed();
    assertEquals(new Changes(made.version(), List.of(made), removed), store().after(before));
    assertEquals(new Changes(made.version(), List.of(), removed), store().after(made.version()));
  }

  @Test
  default void aNameThatHasARowIsNotAddedAgain() {
    Row made = add(ORDERS);
    assertEquals(Optional.empty(), store().add(ORDERS, EVERYTHING, 0));
    assertEquals(Optional.of(made), store().row(ORDERS));
  }

  @Test
  default void aTopicOfAServerThatWasAloneIsOlderThanEachChange() {
    StoredTopic old = store().create(ORDERS, EVERYTHING, 0);
    Row row = store().row(ORDERS).orElseThrow();
    assertEquals(new Row(old, 0), row);
    assertEquals(List.of(row), store().after(SharedTopicStore.NOTHING).rows());
    Row changed = store().replace(with(row, PLAIN), row.version()).orElseThrow();
    assertTrue(changed.version() > row.version());
    assertEquals(List.of(changed), store().after(0).rows());
  }

  @Test
  default void aChangeIsMadeFromTheRowThatTheCallerKnows() {
    Row made = add(ORDERS);
    Row bills = add(BILLS);
    Row changed = store().replace(with(made, EVERYTHING), made.version()).orElseThrow();
    assertTrue(changed.version() > bills.version());
    assertEquals(EVERYTHING, changed.topic().state());
    assertEquals(Optional.empty(), store().replace(with(made, PLAIN), made.version()));
    assertEquals(Optional.of(changed), store().row(ORDERS));
    assertEquals(List.of(changed), store().after(bills.version()).rows());
    StoredTopic unknown = new StoredTopic(made.topic().id() + 9, new TopicName("no"), PLAIN);
    assertEquals(Optional.empty(), store().replace(unknown, 0));
  }

  @Test
  default void aLostTopicIsWrittenAgainUnderItsId() {
    Row made = add(ORDERS);
    long lost = made.version() + 10;
    store().delete(made.topic().id(), ORDERS);
    Row again = store().writeAgain(with(made, EVERYTHING), lost).orElseThrow();
    assertEquals(with(made, EVERYTHING), again.topic());
    assertTrue(again.version() > lost, "later changes are seen by all who saw the lost one");
    assertTrue(add(BILLS).version() > again.version());
    assertTrue(store().row(BILLS).orElseThrow().topic().id() > made.topic().id());
  }

  @Test
  default void aRowThatIsAsNewAsWhatWasLostStays() {
    Row made = add(ORDERS);
    Row changed = store().replace(with(made, EVERYTHING), made.version()).orElseThrow();
    assertEquals(Optional.empty(), store().writeAgain(made.topic(), made.version()));
    assertEquals(Optional.empty(), store().writeAgain(made.topic(), changed.version()));
    assertEquals(Optional.of(changed), store().row(ORDERS));
    Row again = store().writeAgain(made.topic(), changed.version() + 1).orElseThrow();
    assertEquals(made.topic(), again.topic());
  }

  @Test
  default void ofTwoTopicsOfANameTheOneWithTheHigherIdStays() {
    Row made = store().add(ORDERS, PLAIN, 40).orElseThrow();
    StoredTopic earlier = new StoredTopic(made.topic().id() - 1, ORDERS, PLAIN);
    assertEquals(Optional.empty(), store().writeAgain(earlier, made.version() + 9));
    StoredTopic later = new StoredTopic(made.topic().id() + 1, ORDERS, EVERYTHING);
    Row again = store().writeAgain(later, 1).orElseThrow();
    assertEquals(later, again.topic());
    assertTrue(again.version() > made.version());
    assertEquals(List.of(later), store().all());
  }

  @Test
  default void aDeletedTopicIsToldUntilItsNameIsFree() {
    Row made = add(ORDERS);
    Row bills = add(BILLS);
    Row ending = store().end(made.topic(), made.version()).orElseThrow();
    assertEquals(Stage.ENDING, ending.stage());
    assertTrue(ending.version() > bills.version());
    assertEquals(List.of(ending), store().after(bills.version()).rows());
    assertEquals(List.of(ending), store().ended());
    assertEquals(Optional.of(ending), store().row(ORDERS));
    assertEquals(Optional.empty(), store().add(ORDERS, PLAIN, 0), "the name is taken");

    store().emptied(made.topic().id());
    Row emptied = new Row(made.topic(), ending.version(), Stage.EMPTIED);
    assertEquals(List.of(emptied), store().ended());
    assertEquals(Optional.empty(), store().add(ORDERS, PLAIN, 0), "the name is still taken");

    store().remove(made.topic().id());
    assertEquals(List.of(), store().ended());
    Changes after = store().after(bills.version());
    assertEquals(List.of(), after.rows());
    assertEquals(ending.version(), after.removed());
    assertTrue(add(ORDERS).topic().id() > made.topic().id());
    store().remove(made.topic().id());
    assertTrue(store().row(ORDERS).orElseThrow().isLive(), "repeated, it is no error");
  }

  @Test
  default void aDeletionIsMadeFromTheRowThatTheCallerKnows() {
    Row made = add(ORDERS);
    Row changed = store().replace(with(made, EVERYTHING), made.version()).orElseThrow();
    assertEquals(Optional.empty(), store().end(made.topic(), made.version()));
    Row ending = store().end(changed.topic(), changed.version()).orElseThrow();
    assertEquals(Optional.empty(), store().end(changed.topic(), ending.version()));
    assertEquals(Optional.empty(), store().replace(with(made, PLAIN), ending.version()));
    assertEquals(Optional.of(ending), store().row(ORDERS));
  }

  @Test
  default void aTopicIsEmptiedAndRemovedOnlyInThisOrder() {
    Row made = add(ORDERS);
    int id = made.topic().id();
    store().emptied(id);
    store().remove(id);
    assertEquals(Optional.of(made), store().row(ORDERS));
    Row ending = store().end(made.topic(), made.version()).orElseThrow();
    store().remove(id);
    assertEquals(Optional.of(ending), store().row(ORDERS));
  }

  @Test
  default void ofRivalsForANameOneAddsIt() throws Exception {
    for (int round = 0; round < 20; round++) {
      TopicName name = new TopicName("t" + round);
      List<Optional<Row>> rows = Together.run(RIVALS, () -> store().add(name, PLAIN, 0));
      List<Row> added = rows.stream().flatMap(Optional::stream).toList();
      assertEquals(1, added.size(), "round " + round);
      assertEquals(Optional.of(added.get(0)), store().row(name));
    }
  }

  @Test
  default void ofRivalChangesFromOneRowOneCounts() throws Exception {
    Row row = add(ORDERS);
    for (int round = 0; round < 20; round++) {
      Row from = row;
      List<Callable<Optional<Row>>> rivals =
          IntStream.range(0, RIVALS)
              .<Callable<Optional<Row>>>mapToObj(
                  writer -> () -> store().replace(with(from, state(writer)), from.version()))
              .toList();
      List<Row> changed = Together.run(rivals).stream().flatMap(Optional::stream).toList();
      assertEquals(1, changed.size(), "round " + round);
      row = changed.get(0);
      assertEquals(Optional.of(row), store().row(ORDERS));
    }
  }

  /** A reader that goes on from each version it was told ends with every row. */
  @Test
  default void aReaderMissesNoChangeOfRivals() throws Exception {
    for (int writer = 0; writer < RIVALS; writer++) {
      add(new TopicName("t" + writer));
    }
    AtomicBoolean isOver = new AtomicBoolean();
    Map<TopicName, Row> read = new HashMap<>();
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int writer = 0; writer < RIVALS; writer++) {
      TopicName name = new TopicName("t" + writer);
      tasks.add(
          () -> {
            for (int change = 1; change <= 20; change++) {
              Row row = store().row(name).orElseThrow();
              assertTrue(store().replace(with(row, state(change)), row.version()).isPresent());
            }
            return true;
          });
    }
    Thread reader =
        new Thread(
            () -> {
              long version = SharedTopicStore.NOTHING;
              boolean isLast;
              do {
                isLast = isOver.get();
                Changes changes = store().after(version);
                assertTrue(changes.version() >= version);
                version = changes.version();
                changes.rows().forEach(row -> read.put(row.topic().name(), row));
              } while (!isLast);
            });
    reader.start();
    assertFalse(Together.run(tasks).contains(false));
    isOver.set(true);
    reader.join();
    for (int writer = 0; writer < RIVALS; writer++) {
      TopicName name = new TopicName("t" + writer);
      assertEquals(store().row(name).orElseThrow(), read.get(name));
    }
  }
}
